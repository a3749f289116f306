// SPDX-License-Identifier: Apache-2.0

import Foundation

/// JSON web tokens (RFC 7519) that the platform issues, and the key set that they are checked with (RFC 7517).
struct WebTokenIssuer: Sendable {
    let key: SigningKey

    private struct Header: Encodable {
        let alg = "RS256"
        let kid = SigningKey.keyID
        let typ = "JWT"
    }

    /// Asynchronous because a signature takes a millisecond: the thread that talks does something else meanwhile.
    ///
    /// - Throws: `BackendError.cryptographyFailed`.
    func token(_ payload: some WebTokenPayload) async throws(BackendError) -> String {
        guard let header = try? Self.part(Header()), let claims = try? Self.part(payload) else {
            throw .cryptographyFailed
        }
        let signed = header + "." + claims
        guard let signature = key.key.signature(of: Array(signed.utf8)) else { throw .cryptographyFailed }
        return signed + "." + Base64.urlText(signature)
    }

    /// Members sorted by name.
    private static func part(_ content: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64.urlText([UInt8](try encoder.encode(content)))
    }

    var keySet: JSONObject {
        JSONObject([
            "keys": .array([
                .object([
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(SigningKey.keyID),
                    "n": .string(Base64.urlText(key.modulus)), "e": .string(Base64.urlText(key.exponent)),
                ])
            ])
        ])
    }
}
