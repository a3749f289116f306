// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What registering with a code, and having an address verified, asks of the SDK.
protocol EnrolmentSteps: Sendable {
    /// What an earlier visit of the same person left unfinished makes room.
    ///
    /// - Parameter code: the code of another device, or what a verification brought.
    /// - Throws: with reason `notAuthorized` or `notVerified` for a wrong code.
    func startRegistration(userID: String, code: SecretBytes) async throws(KioskFailure) -> KioskIdentity

    /// Has the mail sent.
    ///
    /// - Throws: with reason `notOffered` where the backend verifies no addresses.
    func startVerification(userID: String) async throws(KioskFailure)

    /// - Parameter code: from the mail, or from its link.
    /// - Returns: what the registration takes as its code.
    func finishVerification(userID: String, code: SecretBytes) async throws(KioskFailure) -> SecretBytes
}
