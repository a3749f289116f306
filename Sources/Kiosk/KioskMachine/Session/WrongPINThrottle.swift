// SPDX-License-Identifier: Apache-2.0

/// Delays PINs of unverified people, who have shown neither a login page that proves their name nor a personal card.
///
/// Three wrong PINs within ten minutes make the next unverified person wait. Each further wrong one doubles the wait. A
/// right PIN does not end it: a person with an identity here could type wrong PINs for others in between. It is kept in
/// memory only, so a power cut ends it (`docs/threat-model.md`, T35).
struct WrongPINThrottle: Sendable, Hashable {
    /// The number of wrong PINs within ``window`` that begin a wait.
    static let limit = 3
    static let window = Duration.seconds(600)
    static let firstWait = Duration.seconds(60)
    static let longestWait = Duration.seconds(900)
    /// The time without a wrong PIN after a wait, after which the count begins again.
    static let forgetting = Duration.seconds(3600)

    /// The times of the newest wrong PINs, oldest first; at most ``limit``.
    private var wrongPINs: [Duration] = []
    /// The number of waits in this series.
    private var waits = 0
    private var end = Duration.zero

    /// Notes a wrong PIN of an unverified person.
    ///
    /// - Parameter now: by a clock that only goes forward.
    mutating func noteWrongPIN(at now: Duration) {
        if waits > 0, now >= end + WrongPINThrottle.forgetting { waits = 0 }
        wrongPINs = wrongPINs.filter { now - $0 < WrongPINThrottle.window }.suffix(WrongPINThrottle.limit - 1) + [now]
        guard waits > 0 || wrongPINs.count >= WrongPINThrottle.limit else { return }
        // The longest wait is reached long before the shift could overflow.
        end = now + min(WrongPINThrottle.firstWait * (1 << min(waits, 8)), WrongPINThrottle.longestWait)
        waits += 1
    }

    /// The time that the next unverified person has to wait; nil for none.
    func wait(at now: Duration) -> Duration? { end > now ? end - now : nil }
}
