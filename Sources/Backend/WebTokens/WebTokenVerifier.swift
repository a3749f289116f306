// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Foundation

/// Checks web tokens as those who get them have to (RFC 7519, section 7.2), with nothing but the issuer's key set.
package struct WebTokenVerifier: Sendable {
    private let keys: [String: RSAKey]

    /// - Parameter keySet: RFC 7517, section 5. Keys for anything but RS256, and of fewer than 2048 bits, are skipped.
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

    /// The claims of a token that one of the keys signed by RS256 and that has not expired; nil for any other. Whom it
    /// is from and for is the reader's to check.
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

    /// The key of the set that the header names, where it asks for nothing but RS256 and names nothing critical, which
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
