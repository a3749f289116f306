// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Logging
import LoginValues
import MPinClient

extension MPinSteps {
    func readSigner(_ identity: KioskIdentity) async throws(KioskFailure) -> KioskIdentity {
        try await call("read signer") { () throws(MPinError) in KioskIdentity(try await user(identity)) }
    }

    func startSigningKey(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) {
        do throws(MPinError) {
            try await sdk.startRegistrationDVS(of: try await user(identity), pin: pin)
        } catch {
            let failure = failure(error, of: "start signing key")
            // Whether the login counted or not: there is no key, and nothing else hangs on it.
            throw failure.reason == .outcomeUnknown
                ? KioskFailure(.unreachable, status: failure.status, passTwoWasSent: true) : failure
        }
    }

    func finishSigningKey(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> KioskIdentity {
        do throws(MPinError) {
            return KioskIdentity(try await sdk.finishRegistrationDVS(of: try await user(identity), pinDVS: pin))
        } catch {
            throw failure(error, of: "finish signing key")
        }
    }

    func prepareDocument(_ document: DocumentText, at service: WebAddress) async throws(KioskFailure) -> DocumentHash {
        guard let application = applications?(service) else { throw KioskFailure(.notOffered, status: "FLOW_ERROR") }
        desk.lay(nil)
        let data = try await call("document hash") { () throws(MPinError) in
            try await application.createDocumentHash(document.bytes)
        }
        guard MPin.verifyDocument(document.bytes, hash: Array(data.hash.utf8)), let hash = DocumentHash(data.hash)
        else {
            logger.error("the service hashed something else than was shown; nothing is signed")
            throw KioskFailure(.documentDiffers, status: "CRYPTO_ERROR")
        }
        desk.lay(.document(data, application))
        return hash
    }

    func sign(
        _ hash: DocumentHash, as identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) {
        switch desk.paper {
        case .session(let session) where DocumentHash(session.hash) == hash:
            do throws(MPinError) {
                _ = try await sdk.sign(session, as: try await user(identity), pin: pin)
            } catch {
                throw failure(error, of: "sign")
            }
        case .document(let data, let application) where DocumentHash(data.hash) == hash:
            let signature: DVSSignature
            do throws(MPinError) {
                signature = try await sdk.sign(
                    documentHash: Array(data.hash.utf8), as: try await user(identity), pin: pin,
                    timestamp: data.timestamp)
            } catch {
                throw failure(error, of: "sign")
            }
            try await submit(signature, of: data, to: application)
        case .session, .document, nil:
            throw KioskFailure(.documentDiffers, status: "FLOW_ERROR")
        }
    }

    private func submit(
        _ signature: DVSSignature, of data: DocumentData, to application: RelyingPartyApplication
    ) async throws(KioskFailure) {
        let verdict: SignatureVerdict
        do throws(MPinError) { verdict = try await application.verifySignature(signature, of: data) } catch {
            // The service may have taken it all the same.
            throw KioskFailure(
                .outcomeUnknown, status: failure(error, of: "verify signature").status, passTwoWasSent: true)
        }
        guard verdict != .valid else { return }
        logger.warning("the service does not take the signature", metadata: ["verdict": "\(verdict.rawValue)"])
        // Its platform's word, which the next login would hear as well.
        guard verdict != .userBlocked else {
            throw KioskFailure(.blocked, status: verdict.rawValue, passTwoWasSent: true)
        }
        throw KioskFailure(.signatureRefused, status: verdict.rawValue, passTwoWasSent: true)
    }
}
