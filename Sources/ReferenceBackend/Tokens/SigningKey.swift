// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Foundation
import JWTKit

/// The RSA key that the platform signs tokens with, RS256 (RFC 7518, section 3.3): 2048 bits where it was made here, and
/// never fewer.
///
/// The library keeps it for as long as the backend runs, in memory that is wiped when it is freed. Nothing wipes the `Data`
/// that a new key, and the content of the file, pass through on their way there.
struct SigningKey: Sendable {
    static let keyID: JWKIdentifier = "s1"

    let privateKey: JWTKit.Insecure.RSA.PrivateKey
    /// Big-endian, as in a JSON web key.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Reads `signing-key` in the state directory, or makes it at the first start.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("signing-key")
        if try StateDirectory.read(path) == nil {
            var made = try Self.made()
            defer { wipe(&made) }
            try StateDirectory.create(path, content: made)
        }
        guard var content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        defer { wipe(&content) }
        do {
            privateKey = try JWTKit.Insecure.RSA.PrivateKey(
                backing: try _RSA.Signing.PrivateKey(derRepresentation: content))
            let numbers = try privateKey.publicKey.getKeyPrimitives()
            (modulus, exponent) = ([UInt8](numbers.modulus), [UInt8](numbers.publicExponent))
        } catch {
            throw .file(path: path, reason: "not an RSA key of 2048 bits or more, which tokens are signed with")
        }
    }

    /// RSAPrivateKey of RFC 8017, appendix A.1.2.
    private static func made() throws(BackendError) -> [UInt8] {
        do {
            return [UInt8](try _RSA.Signing.PrivateKey(keySize: .bits2048).derRepresentation)
        } catch {
            throw .cryptographyFailed
        }
    }
}
