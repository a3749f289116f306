// SPDX-License-Identifier: Apache-2.0

import COpenSSL
package import Encoding

/// SHA-256 and HMAC-SHA-256.
package enum Digest {
    /// The length of a digest in bytes.
    package static let length = 32

    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: length)
        // Safe: it reads the message's bounds and writes 32 bytes.
        let isWritten = unsafe SHA256(message, message.count, &digest) != nil
        precondition(isWritten, "libcrypto offers no SHA-256")
        return digest
    }

    package static func hmacSHA256(_ message: String, key: SecretBytes) -> [UInt8] {
        guard let code = hmacSHA256(Array(message.utf8), key: key) else {
            preconditionFailure("libcrypto offers no HMAC")
        }
        return code.withBytes { code in code.indices.map { code[$0] } }
    }

    /// - Returns: nil when OpenSSL could not do it.
    static func hmacSHA256(_ message: [UInt8], key: SecretBytes) -> SecretBytes? {
        unsafe SecretBytes(filling: length) { code in
            unsafe key.withUnsafeBytes { key in
                // Safe: each is read within its bounds, and 32 bytes are written.
                unsafe HMAC(
                    EVP_sha256(), key.baseAddress, Int32(key.count), message, message.count,
                    code.assumingMemoryBound(to: UInt8.self).baseAddress, nil) != nil
            }
        }
    }

    /// Compares two values in a time that does not depend on where they differ.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        // Safe: it reads as many bytes as each of them has.
        unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
