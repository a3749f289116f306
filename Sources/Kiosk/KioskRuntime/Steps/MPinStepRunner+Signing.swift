// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import Logging
import LoginValues
import MPinClient

extension MPinStepRunner {
    /// Finds out whether a scanned code is for a login or a signature. A signing session has a hash among its details;
    /// on an older platform it answers a request for signing sessions.
    ///
    /// - Returns: the details, and the signing session if it is one.
    func scanned(_ accessCode: AccessCode) async throws(MPinError) -> (SessionDetails, SigningSession?) {
        let details: SessionDetails
        do throws(MPinError) { details = try await sdk.sessionDetails(for: accessCode) } catch {
            guard let session = try? await sdk.signingSessionDetails(for: accessCode) else { throw error }
            return (session.details, session)
        }
        if details.isSigningSession { return (details, try await sdk.signingSessionDetails(for: accessCode)) }
        // A login has no description.
        guard !details.description.isEmpty else { return (details, nil) }
        return (details, try? await sdk.signingSessionDetails(for: accessCode))
    }

    func readSigner(_ identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("read signer") { () throws(MPinError) in
            .signerRead(KioskIdentity(try await user(identity)))
        }
    }

    func startSigningKey(of identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        do throws(KioskFailure) {
            try await proveAndCount("start signing key", of: identity) { user, pin throws(MPinError) in
                try await sdk.startRegistrationDVS(of: user, pin: pin)
            }
        } catch {
            // Whether the login counted or not, there is no key, and nothing else depends on it.
            throw error.outcome == .outcomeUnknown
                ? KioskFailure(.unreachable, status: error.status, passTwoWasSent: true) : error
        }
        return .signingKeyStarted
    }

    /// Registers the new PIN for signing.
    func finishSigningKey(of identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await prove("finish signing key", of: identity) { user, pin throws(MPinError) in
            .signingKeyFinished(KioskIdentity(try await sdk.finishRegistrationDVS(of: user, pinDVS: pin)))
        }
    }

    /// Asks the service for the hash, and compares it with the document's.
    func prepare(_ document: DocumentText, _ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        guard let application = applications?(request.baseURL) else {
            throw KioskFailure(.notOffered, status: "FLOW_ERROR")
        }
        file.keep(SessionFile.SigningData?.none)
        let data = try await call("document hash") { () throws(MPinError) in
            try await application.createDocumentHash(document.bytes)
        }
        guard MPin.verifyDocument(document.bytes, hash: Array(data.hash.utf8)), let hash = DocumentHash(data.hash)
        else {
            logger.error("the service hashed something else than was shown; nothing is signed")
            throw KioskFailure(.documentDiffers, status: "CRYPTO_ERROR")
        }
        file.keep(.document(data, application))
        return .documentPrepared(hash)
    }

    /// Signs the scanned or prepared document, and asks the service to check the signature.
    ///
    /// - Parameter hash: the hash that the person agreed to.
    func sign(_ hash: DocumentHash, as identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        switch file.signingData {
        case .session(let session) where DocumentHash(session.hash) == hash:
            file.keep(
                try await proveAndCount("sign", of: identity) { user, pin throws(MPinError) in
                    try await sdk.sign(session, as: user, pin: pin)
                })
        case .document(let data, let application) where DocumentHash(data.hash) == hash:
            let signature = try await proveAndCount("sign", of: identity) { user, pin throws(MPinError) in
                try await sdk.sign(
                    documentHash: Array(data.hash.utf8), as: user, pin: pin,
                    timestamp: application == nil ? nil : data.timestamp)
            }
            file.keep(signature)
            if let application { try await submit(signature, of: data, to: application) }
        case .session, .document, nil:
            throw KioskFailure(.documentDiffers, status: "FLOW_ERROR")
        }
        return .signed
    }

    private func submit(
        _ signature: DVSSignature, of data: DocumentData, to application: RelyingPartyApplication
    ) async throws(KioskFailure) {
        let verdict: SignatureVerdict
        do throws(MPinError) { verdict = try await application.verifySignature(signature, of: data) } catch {
            // The service may have accepted it.
            throw KioskFailure(
                .outcomeUnknown, status: failure(error, of: "verify signature").status, passTwoWasSent: true)
        }
        guard verdict != .valid else { return }
        logger.warning("the service does not take the signature", metadata: ["verdict": "\(verdict.rawValue)"])
        // The platform blocked the user; the next login would fail with the same reason.
        guard verdict != .userBlocked else {
            throw KioskFailure(.blocked, status: verdict.rawValue, passTwoWasSent: true)
        }
        throw KioskFailure(.signatureRefused, status: verdict.rawValue, passTwoWasSent: true)
    }
}

extension SigningRequest {
    /// - Throws: for a description that cannot be shown whole, because nobody could agree to it.
    init(_ session: SigningSession) throws(MPinError) {
        guard let hash = DocumentHash(session.hash) else {
            throw MPinError(.badReply, detail: "the hash to be signed is not a SHA-256 digest")
        }
        var description: DocumentText?
        if !session.description.isEmpty {
            do { description = try DocumentText(Array(session.description.utf8)) } catch {
                throw MPinError(
                    .badReply,
                    detail: "the description of what is to be signed cannot be shown: \(error)"
                )
            }
        }
        self.init(description: description, hash: hash, isSigned: session.isSigned)
    }
}
