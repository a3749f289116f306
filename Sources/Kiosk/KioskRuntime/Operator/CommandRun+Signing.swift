// SPDX-License-Identifier: Apache-2.0

import Encoding
public import KioskMachine
public import LoginValues
public import MPinClient

extension CommandRun {
    /// The identity of a user at the opened backend, as far as it can sign.
    ///
    /// - Throws: `notOffered` when the dialect has no signing.
    public func signer(_ user: User) throws(KioskFailure) -> KioskIdentity {
        try user.requireRegistered()
        let identity = KioskIdentity(user)
        guard identity.signing != .none else { throw KioskFailure(.notOffered) }
        return identity
    }

    /// Prepares a document for its signature.
    ///
    /// - Parameter application: the server that wants the document signed; it gives hash and time.
    /// - Throws: `documentDiffers` when the server's digest is not that of the document.
    public func prepare(
        _ document: DocumentText, for application: WebAddress?
    ) async throws(KioskFailure) -> DocumentHash {
        guard let application else {
            // The SDK takes the time when it signs.
            let data = DocumentData(
                hash: Hexadecimal.text(MPin.hashDocument(document.bytes)), timestamp: 0,
                authToken: SecretBytes(copying: []))
            guard let hash = DocumentHash(data.hash) else { throw KioskFailure(.failed) }
            file.keep(.document(data, nil))
            return hash
        }
        file.open(SessionRequest(at: application))
        guard case .documentPrepared(let hash) = try await take(.prepareDocument(document)) else {
            throw KioskFailure(.failed)
        }
        return hash
    }

    /// Opens the signing session of a QR code.
    ///
    /// - Returns: its document, and the host at which a PIN takes effect.
    public func signingSession(
        _ symbol: SecretBytes, for userID: String
    ) async throws(KioskFailure) -> (identity: KioskIdentity, request: SigningRequest, place: String) {
        let session = try await session(of: symbol)
        let user = try await client.identityHere(of: userID)
        guard let request = session.signing else {
            throw KioskFailure(session.verifiesAddresses ? .sessionExpired : .notOffered)
        }
        guard !request.isSigned else { throw KioskFailure(.alreadySigned) }
        return (try signer(user), request, place)
    }

    /// Registers a key for signing, with a PIN of its own.
    ///
    /// - Parameter askPIN: the identity's PIN; nil declines.
    /// - Returns: the identity, which can sign now.
    public func enableSigning(
        _ identity: KioskIdentity, askPIN: () async -> Pin?, newPIN: NewPINChoice
    ) async throws(KioskFailure) -> KioskIdentity {
        try await keep(askPIN)
        do throws(KioskFailure) { try await take(.startSigningKey(identity)) } catch {
            guard error.outcome == .unreachable, error.passTwoWasSent else { throw error }
            throw KioskFailure(.outcomeUnknown, status: error.status)
        }
        try await keep(newPIN, length: nil, of: identity)
        guard case .signingKeyFinished(let signer) = try await take(.finishSigningKey(identity)) else {
            throw KioskFailure(.failed)
        }
        return signer
    }

    /// Signs the prepared document, or that of the opened session. Tells the session's server if the person declines.
    ///
    /// - Parameter askPIN: the PIN for signing; nil declines.
    public func sign(
        _ hash: DocumentHash, as identity: KioskIdentity, askPIN: () async -> Pin?
    ) async throws(KioskFailure) -> DVSSignature {
        defer { file.close() }
        do throws(KioskFailure) { try await keep(askPIN) } catch {
            if let session = AbandonedSession(file) { await steps.abort(session) }
            throw error
        }
        try await take(.sign(identity, hash))
        guard let signature = file.signature else { throw KioskFailure(.failed) }
        return signature
    }
}
