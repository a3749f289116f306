// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// Carries out what the machine wants done in a session's name: ``MPinStepRunner`` on an `MPin`, a script in tests.
///
/// Every method ends within the deadlines of its requests and soon after its task was cancelled. Failures that a person
/// should be told apart are told apart; details go to the log of the implementation.
protocol StepRunner: Sendable {
    /// - Parameter file: the session's. What the machine need not know goes into it.
    func run(_ step: KioskStep, in file: SessionFile) async throws(KioskFailure) -> StepAnswer

    // What no one waits for.

    /// Tells the server that a session was given up. It is not told whether the server heard.
    func abort(_ session: AbandonedSession) async
    func forgetShares(of identity: KioskIdentity) async
    /// Deletes this identity and no other.
    func delete(_ identity: KioskIdentity) async
    /// Forgets the identities of personal cards.
    func dismissGuests() async
    /// The owner of an identity has shown the PIN in another way.
    func forgetTries(of key: IdentityKey) async
}

/// A server's session that was begun with a code and came to nothing.
enum AbandonedSession: Sendable {
    case login(AccessCode)
    case signing(SigningSession)

    /// Finds the server's session in a session's file; nil for an errand from the menu.
    init?(_ file: SessionFile) {
        guard let accessCode = file.request?.accessCode else { return nil }
        if case .session(let session) = file.signingData, session.accessCode == accessCode {
            self = .signing(session)
        } else {
            self = .login(accessCode)
        }
    }
}
