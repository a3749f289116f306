// SPDX-License-Identifier: Apache-2.0

import COpenSSL
package import Encoding
import Sealing

/// Bytes that are sealed under a key of 32 bytes, or under one that scrypt makes of a passphrase: then its salt (16)
/// stands before them.
package enum SealedBox {
    private static let saltLength = 16

    /// - Throws: `BackendError.randomnessUnavailable`, `.cryptographyFailed`.
    package static func seal(_ secret: [UInt8], passphrase: SecretBytes, context: String) throws(BackendError)
        -> [UInt8]
    {
        let salt = try RandomBytes.make(saltLength)
        return salt + (try seal(secret, key: try key(passphrase: passphrase, salt: salt), context: context))
    }

    /// - Throws: `BackendError.cryptographyFailed`.
    package static func seal(_ secret: [UInt8], key: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        let seal = AuthenticatedSeal(key: key)
        guard let box = seal.seal(SecretBytes(copying: secret), context: Array(context.utf8)) else {
            throw .cryptographyFailed
        }
        return box
    }

    /// - Throws: `BackendError.wrongPassphrase` when key, context or content do not belong together.
    package static func open(_ box: [UInt8], passphrase: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        guard box.count >= saltLength + AuthenticatedSeal.overhead else { throw .wrongPassphrase }
        let key = try key(passphrase: passphrase, salt: Array(box.prefix(saltLength)))
        return try open(Array(box.dropFirst(saltLength)), key: key, context: context)
    }

    /// - Throws: `BackendError.wrongPassphrase` when key, context or content do not belong together.
    package static func open(_ box: [UInt8], key: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        guard let secret = AuthenticatedSeal(key: key).open(box[...], context: Array(context.utf8)) else {
            throw .wrongPassphrase
        }
        return secret.withBytes { copy(of: $0) }
    }

    /// N = 2^15, r = 8 and p = 1 need 32 MiB, of 64 MiB allowed, and about a tenth of a second: paid once at start.
    private static func key(passphrase: SecretBytes, salt: [UInt8]) throws(BackendError) -> SecretBytes {
        // Safe: every pointer is passed with its own buffer's length.
        let key = unsafe SecretBytes(filling: AuthenticatedSeal.keyLength) { key in
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe EVP_PBE_scrypt(
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self), passphrase.count, salt, salt.count,
                    1 << 15, 8, 1, 64 << 20, key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count) == 1
            }
        }
        guard let key else { throw .cryptographyFailed }
        return key
    }
}

/// An array with the bytes of a span.
package func copy(of span: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(span.count)
    for index in span.indices { bytes.append(span[index]) }
    return bytes
}
