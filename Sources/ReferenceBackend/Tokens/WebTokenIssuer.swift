// SPDX-License-Identifier: Apache-2.0

/// JSON web tokens (RFC 7519) that the platform issues, and the key set that they are checked with (RFC 7517).
struct WebTokenIssuer: Sendable {
    let key: SigningKey

    /// - Throws: `BackendError.cryptographyFailed`.
    func token(_ claims: [String: JSONValue]) throws(BackendError) -> String {
        let header: [String: JSONValue] = ["alg": "RS256", "typ": "JWT", "kid": .string(SigningKey.keyID)]
        let signed = [header, claims].map { Base64.urlText(JSONObject($0).body) }.joined(separator: ".")
        return signed + "." + Base64.urlText(try key.signature(of: Array(signed.utf8)))
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

    /// The claims of a token, not checked: for one that came over a channel that can be trusted.
    static func claims(in token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return Base64.bytes(urlText: String(parts[1])).flatMap { JSONObject(body: $0) }
    }
}
