// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation

/// Verifies web tokens as a recipient must (RFC 7519, section 7.2). It needs only the issuer's key set.
package struct WebTokenVerifier: Sendable {
    private let keys: [String: RSAKey]

    /// - Parameter keySet: RFC 7517, section 5. Keys that are not for RS256 or have fewer than 2048 bits are skipped.
    package init(keySet: JSONObject) async {
        var keys: [String: RSAKey] = [:]
        if case .array(let list)? = keySet.members["keys"] {
            for case .object(let members) in list {
                guard let (id, key) = Self.key(JSONObject(members)) else { continue }
                keys[id] = key
            }
        }
        self.keys = keys
    }

    /// The claims of a token that is signed by RS256 with one of the keys and has not expired; nil for any other. The
    /// caller checks issuer and audience.
    package func payload<Payload: WebTokenPayload>(
        of token: String, as _: Payload.Type = Payload.self, at now: WallTime
    ) async -> Payload? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let key = key(named: parts[0]), let signature = Base64.bytes(urlText: parts[2]),
            key.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8)),
            let claims = Base64.bytes(urlText: parts[1]),
            let payload = try? JSONDecoder().decode(Payload.self, from: Data(claims)),
            payload.expiration.isLater(than: now)
        else { return nil }
        return payload
    }

    /// The key that the header names; nil unless the header asks for RS256 and lists no critical extension, which
    /// every reader would have to understand (RFC 7515, section 4.1.11).
    private func key(named part: String) -> RSAKey? {
        guard let header = Base64.bytes(urlText: part).flatMap({ JSONObject(body: $0) }),
            header.string("alg") == "RS256", header.members["crit"] == nil
        else { return nil }
        return header.string("kid").flatMap { keys[$0] }
    }

    private static func key(_ object: JSONObject) -> (String, RSAKey)? {
        guard object.string("kty") == "RSA", object.members["alg"] == nil || object.string("alg") == "RS256",
            let id = object.string("kid"), let modulus = object.string("n").flatMap({ Base64.bytes(urlText: $0) }),
            let exponent = object.string("e").flatMap({ Base64.bytes(urlText: $0) }),
            let key = RSAKey(modulus: modulus, exponent: exponent)
        else { return nil }
        return (id, key)
    }
}
