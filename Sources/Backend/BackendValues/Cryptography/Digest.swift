// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256 and HMAC-SHA-256, 32 bytes each.
package enum Digest {
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SHA256 reads the message's bounds and writes 32 bytes.
        _ = unsafe SHA256(message, message.count, &digest)
        return digest
    }

    /// The code of `message`. The key is the ASCII text of a hexadecimal key, not decoded (milagro protocol, section
    /// 2).
    package static func hmacSHA256(_ message: String, key: SecretBytes) -> [UInt8] {
        let message = Array(message.utf8)
        var code = [UInt8](repeating: 0, count: 32)
        key.withBytes { key in
            // HMAC reads key and message within their bounds and writes 32 bytes.
            _ = unsafe HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, nil)
        }
        return code
    }

    /// Compares in constant time.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        // It reads as many bytes as each of them has.
        unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
