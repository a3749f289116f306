// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// Checks web tokens as those who get them have to (RFC 7519, section 7.2), with nothing but the issuer's key set.
struct WebTokenVerifier: Sendable {
    private let keys = JWTKeyCollection()
    private let keyIDs: Set<String>

    /// - Parameter keySet: RFC 7517, section 5. Keys for anything but RS256, and of fewer than 2048 bits, are skipped.
    init(keySet: JSONObject) async {
        var keyIDs: Set<String> = []
        if case .array(let list)? = keySet.members["keys"] {
            for case .object(let members) in list {
                guard let (id, key) = Self.key(JSONObject(members)) else { continue }
                await keys.add(rsa: key, digestAlgorithm: .sha256, kid: id)
                keyIDs.insert(id.string)
            }
        }
        self.keyIDs = keyIDs
    }

    /// The claims of a token that one of the keys signed by RS256 and that has not expired; nil for any other. Whom it is
    /// from and for is the reader's to check.
    func payload<Payload: WebTokenPayload>(
        of token: String, as _: Payload.Type = Payload.self, at now: WallTime
    ) async -> Payload? {
        guard namesKey(token), let payload = try? await keys.verify(token, as: Payload.self),
            (try? payload.expiration.verifyNotExpired(currentDate: Date(now))) != nil
        else { return nil }
        return payload
    }

    /// Whether the header asks for nothing but RS256 with a key of the set. The library goes by the key, whatever the
    /// algorithm, tries a token with some key where it does not know the one named, and overlooks what is critical.
    private func namesKey(_ token: String) -> Bool {
        guard let part = token.split(separator: ".", omittingEmptySubsequences: false).first,
            let header = Base64.bytes(urlText: String(part)).flatMap({ JSONObject(body: $0) })
        else { return false }
        return header.string("alg") == "RS256" && header.members["crit"] == nil
            && header.string("kid").map { keyIDs.contains($0) } == true
    }

    private static func key(_ object: JSONObject) -> (JWKIdentifier, Insecure.RSA.PublicKey)? {
        guard let key = try? JWK(json: String(decoding: object.body, as: UTF8.self)), key.keyType == .rsa,
            (key.algorithm ?? .rs256) == .rs256, let id = key.keyIdentifier, let modulus = key.modulus,
            let exponent = key.exponent
        else { return nil }
        return (try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)).map { (id, $0) }
    }
}
