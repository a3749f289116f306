// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What signing asks of the SDK and of the application that wants a document signed.
protocol SigningSteps: Sendable {
    /// The identity as it is now, with what it takes to sign.
    func readSigner(_ identity: KioskIdentity) async throws(KioskFailure) -> KioskIdentity

    /// - Parameter pin: the login's.
    /// - Throws: with reason `blocked` when the server has blocked the identity with this attempt.
    func startSigningKey(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure)

    /// - Parameter pin: the new one, for signing.
    /// - Returns: the identity, which can sign now.
    func finishSigningKey(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity

    /// Has the service make the hash, and compares it with the document's.
    ///
    /// - Parameter service: where the person chose to sign.
    /// - Throws: with reason `documentDiffers` for any other hash.
    func prepareDocument(_ document: DocumentText, at service: WebAddress) async throws(KioskFailure) -> DocumentHash

    /// Signs what was scanned or prepared, and has the service check it.
    ///
    /// - Parameter hash: what the person agreed to.
    /// - Throws: with reason `signatureRefused` when the service does not take the signature, `blocked` when the server has
    ///   blocked the identity with this attempt.
    func sign(
        _ hash: DocumentHash, as identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure)
}
