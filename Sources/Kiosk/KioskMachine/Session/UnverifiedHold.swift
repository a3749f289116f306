// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The reason why an unverified person is not asked for a PIN.
enum UnverifiedHold: Sendable, Hashable {
    /// Too many PINs of unverified people were wrong just now.
    case wait(Duration)
    /// This person has no tries left until they are verified.
    case tries

    var prompt: Prompt {
        switch self {
        case .wait(let rest): Prompt(.unverifiedWait, [.minutes: "\((rest.wholeSeconds + 59) / 60)"])
        case .tries: Prompt(.triesUsedNext)
        }
    }
}

extension KioskMachine {
    /// The number of wrong PINs that an unverified person may type. Servers usually allow three in a row, and the third
    /// must not be a stranger's.
    static let unverifiedTries = 2

    /// Whether a step of this session takes the PIN of an unverified person.
    public func isUnverified(_ step: KioskStep) -> Bool {
        guard case .session(let session, _) = state, let userID = step.userID else { return false }
        return session.isUnverified(userID)
    }

    /// - Returns: nil when the person may be asked for the PIN.
    func hold(_ session: Session, _ identity: KioskIdentity) -> UnverifiedHold? {
        guard session.isUnverified(identity.userID) else { return nil }
        if identity.tries + session.wrongPINs >= KioskMachine.unverifiedTries { return .tries }
        return wrongPINThrottle.wait(at: now).map { .wait($0) }
    }

    /// Asks for the PIN, unless the person is held up.
    mutating func askProof(_ session: Session, _ identity: KioskIdentity, hint: Prompt? = nil) -> [KioskAction] {
        guard let hold = hold(session, identity) else {
            return session.rules.proceed(session, identity, hint: hint, &self)
        }
        let actions: [KioskAction]
        switch hold {
        case .tries: actions = RenewalScreen(identity: identity).show(session, &self)
        case .wait: actions = conclude(session, .mustWait, hold.prompt, stepIsOver: true)
        }
        return [.unverifiedHeldUp(session.number)] + actions
    }

    /// Notes a wrong PIN.
    mutating func noteWrongPIN(_ session: inout Session, _ identity: KioskIdentity) -> [KioskAction] {
        session.wrongPINs += 1
        guard session.isUnverified(identity.userID) else { return [] }
        wrongPINThrottle.noteWrongPIN(at: now)
        return [.unverifiedWrongPIN(session.number)]
    }
}
