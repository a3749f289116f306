// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
import Sealing

/// The JSON web tokens (RFC 7519) that the backend issues, and the key set that verifies them (RFC 7517).
package struct WebTokenIssuer: Sendable {
    private let keys: @Sendable () -> SigningKeyRing
    private let clock: any WallClock

    /// - Parameter keys: returns the keys. It is called for each token and each key set, because an operator may renew
    ///   the keys at any time.
    package init(keys: @escaping @Sendable () -> SigningKeyRing, clock: any WallClock) {
        self.keys = keys
        self.clock = clock
    }

    /// The key that signs now.
    package var key: SigningKey { keys().signing(at: clock.now) }

    private struct Header: Encodable {
        let alg = "RS256"
        let kid: String
        let typ = "JWT"
    }

    /// Signs a token. Asynchronous because a signature takes a millisecond, in which the event loop's thread serves
    /// others.
    ///
    /// - Throws: `BackendError.cryptographyFailed`.
    package func token(_ payload: some WebTokenPayload) async throws(BackendError) -> String {
        let key = key
        guard let header = try? Self.part(Header(kid: key.id)), let claims = try? Self.part(payload) else {
            throw .cryptographyFailed
        }
        let signed = header + "." + claims
        guard let signature = key.key.signature(of: Array(signed.utf8)) else { throw .cryptographyFailed }
        return signed + "." + Base64.urlText(signature)
    }

    /// JSON with members sorted by name, in base64url.
    private static func part(_ content: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Base64.urlText([UInt8](try encoder.encode(content)))
    }

    /// The public halves of the keys that relying parties need.
    package var keySet: JSONObject {
        JSONObject(["keys": .array(keys().shown(at: clock.now).map { .object($0.members) })])
    }
}

/// The RSA key that signs tokens by RS256 (RFC 7518, section 3.3). A key made here has 2048 bits, and no key has
/// fewer.
package struct SigningKey: Sendable {
    let key: RSAKey
    /// Big-endian, as in a JSON web key.
    let modulus: [UInt8]
    let exponent: [UInt8]
    /// The key's thumbprint, `kid` in tokens and key sets.
    package let id: String

    /// - Parameter content: a private key as libcrypto writes it.
    /// - Returns: nil for anything else, and for a key of fewer than 2048 bits.
    package init?(_ content: [UInt8]) {
        guard let key = RSAKey(privateKey: content) else { return nil }
        self.key = key
        (modulus, exponent) = (key.modulus, key.exponent)
        id = Self.thumbprint(modulus: modulus, exponent: exponent)
    }

    /// A new key, as ``init(_:)`` reads it; the caller wipes it.
    /// - Throws: `BackendError.cryptographyFailed`.
    package static func make() throws(BackendError) -> [UInt8] { try RSAKey.make() }

    /// The key's thumbprint (RFC 7638, section 3): the SHA-256 digest of the required members, sorted by name, in
    /// base64url.
    static func thumbprint(modulus: [UInt8], exponent: [UInt8]) -> String {
        let text = #"{"e":"\#(Base64.urlText(exponent))","kty":"RSA","n":"\#(Base64.urlText(modulus))"}"#
        return Base64.urlText(Digest.sha256(Array(text.utf8)))
    }

    var members: [String: JSONValue] {
        [
            "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id), "n": .string(Base64.urlText(modulus)),
            "e": .string(Base64.urlText(exponent)),
        ]
    }
}
