// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The times at which registrations that no application asked for were begun at this kiosk. Anybody may begin one at the
/// menu, and each sends a mail to an address of their choice, or tries a code.
struct RegistrationBound: Sendable, Hashable {
    static let window = Duration.seconds(3600)

    /// Oldest first, at most as many as the bound.
    private var begun: [Duration] = []

    /// Notes a registration that is about to begin.
    ///
    /// - Parameters:
    ///   - now: by a clock that only goes forward.
    ///   - limit: the permitted number in ``window``.
    /// - Returns: the time that it has to wait; nil when it may begin.
    mutating func begin(at now: Duration, limit: Int) -> Duration? {
        begun.removeAll { now - $0 >= RegistrationBound.window }
        guard begun.count < limit else {
            return begun.first.map { $0 + RegistrationBound.window - now } ?? RegistrationBound.window
        }
        begun.append(now)
        return nil
    }
}

extension KioskMachine {
    /// Begins a registration, or asks for another mail, unless there were too many.
    mutating func register(
        at screen: some StepScreen, _ userID: String, _ session: Session, after before: [KioskAction] = []
    ) -> [KioskAction] {
        guard !session.isNamedByApplication(userID),
            let rest = registrations.begin(at: now, limit: policy.registrationsPerHour)
        else {
            return wait(at: screen, session, after: before)
        }
        return [.registrationHeldUp(session.number)]
            + conclude(
                session, .mustWait, Prompt(.registrationsWait, [.minutes: "\((rest.wholeSeconds + 59) / 60)"]),
                stepIsOver: true)
    }
}
