// SPDX-License-Identifier: Apache-2.0

/// Checks web tokens as those who get them have to (RFC 7519, section 7.2), with nothing but the issuer's key set.
struct WebTokenVerifier: Sendable {
    private let keys: [String: VerificationKey]

    /// - Parameter keySet: RFC 7517, section 5. Keys other than RSA are skipped.
    init(keySet: JSONObject) {
        var keys: [String: VerificationKey] = [:]
        if case .array(let list)? = keySet.members["keys"] {
            for case .object(let members) in list {
                let key = JSONObject(members)
                guard key.string("kty") == "RSA", let id = key.string("kid"),
                    let modulus = key.string("n").flatMap({ Base64.bytes(urlText: $0) }),
                    let exponent = key.string("e").flatMap({ Base64.bytes(urlText: $0) })
                else { continue }
                keys[id] = VerificationKey(modulus: modulus, exponent: exponent)
            }
        }
        self.keys = keys
    }

    /// The claims of a token that one of the keys signed by RS256; nil for any other. No other algorithm counts, whatever
    /// the token says of itself.
    func claims(in token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Self.object(parts[0]), header.string("alg") == "RS256",
            header.members["crit"] == nil, let key = header.string("kid").flatMap({ keys[$0] }),
            let signature = Base64.bytes(urlText: parts[2]),
            key.isSignature(signature, of: Array((parts[0] + "." + parts[1]).utf8))
        else { return nil }
        return Self.object(parts[1])
    }

    private static func object(_ part: String) -> JSONObject? {
        Base64.bytes(urlText: part).flatMap { JSONObject(body: $0) }
    }
}
