// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// Carries out the machine's steps: ``MPinStepRunner`` on an `MPin`, a script in tests.
///
/// Every method ends within the deadlines of its requests and soon after its task was cancelled. Failures differ where
/// the message to the person differs; details go to the implementation's log.
protocol StepRunner: Sendable {
    /// - Parameter file: the session's file, which takes data that the machine need not know.
    func run(_ step: KioskStep, in file: SessionFile) async throws(KioskFailure) -> StepAnswer

    // Jobs that nobody waits for.

    /// Tells the server that a session was given up, without waiting for its answer.
    func abort(_ session: AbandonedSession) async
    func forgetShares(of identity: KioskIdentity) async
    /// Deletes this identity and no other.
    func delete(_ identity: KioskIdentity) async
    /// Forgets the identities of personal cards.
    func dismissGuests() async
    /// Forgets the tries of an identity, because its owner proved the PIN in another way.
    func forgetTries(of key: IdentityKey) async
}

/// A server's session that was begun with a code and given up.
enum AbandonedSession: Sendable {
    case login(AccessCode)
    case signing(SigningSession)

    /// Finds the server's session in a session's file; nil for a task from the menu.
    init?(_ file: SessionFile) {
        guard let accessCode = file.request?.accessCode else { return nil }
        if case .session(let session) = file.signingData, session.accessCode == accessCode {
            self = .signing(session)
        } else {
            self = .login(accessCode)
        }
    }
}
