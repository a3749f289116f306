// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// JSON web tokens (RFC 7519) that the platform issues, and the key set that they are checked with (RFC 7517).
struct WebTokenIssuer: Sendable {
    let key: SigningKey

    /// Times in whole seconds, which every reader understands, members sorted by name.
    private static let serializer: DefaultJWTSerializer = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .integerSecondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return DefaultJWTSerializer(jsonEncoder: encoder)
    }()

    /// - Throws: `BackendError.cryptographyFailed`.
    func token(_ payload: some WebTokenPayload) async throws(BackendError) -> String {
        let keys = JWTKeyCollection()
        await keys.add(
            rsa: key.privateKey, digestAlgorithm: .sha256, kid: SigningKey.keyID, serializer: Self.serializer)
        do {
            return try await keys.sign(payload, kid: SigningKey.keyID)
        } catch {
            throw .cryptographyFailed
        }
    }

    var keySet: JSONObject {
        JSONObject([
            "keys": .array([
                .object([
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(SigningKey.keyID.string),
                    "n": .string(Base64.urlText(key.modulus)), "e": .string(Base64.urlText(key.exponent)),
                ])
            ])
        ])
    }
}
