// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Foundation

/// JSON web tokens (RFC 7519) that the backend issues, and the key set that they are checked with (RFC 7517).
package struct WebTokenIssuer: Sendable {
    let key: SigningKey

    package init(key: SigningKey) { self.key = key }

    private struct Header: Encodable {
        let alg = "RS256"
        let kid = SigningKey.keyID
        let typ = "JWT"
    }

    /// Asynchronous because a signature takes a millisecond: the thread that talks does something else meanwhile.
    ///
    /// - Throws: `BackendError.cryptographyFailed`.
    package func token(_ payload: some WebTokenPayload) async throws(BackendError) -> String {
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

    package var keySet: JSONObject {
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

/// The RSA key that tokens are signed with, RS256 (RFC 7518, section 3.3): 2048 bits where it was made here, and never
/// fewer.
package struct SigningKey: Sendable {
    static let keyID = "s1"

    let key: RSAKey
    /// Big-endian, as in a JSON web key.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// - Parameter content: a private key as libcrypto writes it.
    /// - Returns: nil for anything else, and for a key of fewer than 2048 bits.
    package init?(_ content: [UInt8]) {
        guard let key = RSAKey(privateKey: content) else { return nil }
        self.key = key
        (modulus, exponent) = (key.modulus, key.exponent)
    }

    /// A new key, as ``init(_:)`` reads it; the caller wipes it.
    /// - Throws: `BackendError.cryptographyFailed`.
    package static func make() throws(BackendError) -> [UInt8] { try RSAKey.make() }
}
