// SPDX-License-Identifier: Apache-2.0

import WebTokens

/// What an application asks the site that wants a document signed. MIRACL protocol, section 15.
extension PlatformRelyingParty {
    /// The verdicts; the raw values are those of the wire.
    enum SignatureStatus: String, Sendable {
        case valid = "ValidSignature", badPIN = "BadPin", userBlocked = "UserBlocked", missing = "MissingSignature"
        case invalid = "InvalidSignature"
    }

    /// `POST /CreateDocumentHash`.
    func createDocumentHash(of document: String) -> JSONObject {
        let hash = Hexadecimal.text(Digest.sha256(Array(document.utf8)))
        return JSONObject([
            "hash": .string(hash), "timestamp": .integer(clock.now.seconds),
            "authToken": .string(credentials.token(for: hash)),
        ])
    }

    /// `POST /VerifySignature`.
    /// - Parameters:
    ///   - signature: `{mpinId, publicKey, u, v, hash, dtas}`.
    ///   - document: what `createDocumentHash` answered: `{hash, authToken, timestamp}`, the last one as text or
    ///     number.
    func verifySignature(_ signature: JSONObject, of document: JSONObject) async throws -> JSONObject {
        let status = try await status(of: signature, document)
        return JSONObject(["verified": .boolean(status == .valid), "status": .string(status.rawValue)])
    }

    private func status(of signature: JSONObject, _ document: JSONObject) async throws -> SignatureStatus {
        let timestamp = document.integer("timestamp") ?? document.string("timestamp").flatMap { Int64($0) }
        guard let hash = document.string("hash")?.lowercased(), let timestamp,
            signature.string("hash")?.lowercased() == hash
        else { return .missing }
        // Only what this site wanted to be signed.
        guard document.string("authToken").map({ credentials.isToken($0, for: hash) }) == true else { return .missing }
        let text: String?
        do { text = try await platform.certificate(for: signature, timestamp: timestamp) } catch let refusal as Refusal
        {
            switch refusal.code {
            case 401: return .badPIN
            case 410: return .userBlocked
            default: return .missing
            }
        }
        guard let text else { return .missing }
        let certificate: SignatureCertificate? = await WebTokenVerifier(keySet: try await platform.keySet)
            .payload(of: text, at: clock.now)
        return certificate?.covers(hash, signedAt: timestamp) == true ? .valid : .invalid
    }
}
