// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256 and HMAC-SHA-256, 32 bytes each.
package enum Digest {
    package static func sha256(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        // SHA256 reads the message's bounds and writes 32 bytes.
        unsafe message.withUnsafeBufferPointer { message in
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                _ = unsafe SHA256(message.baseAddress, message.count, digest.baseAddress)
            }
        }
        return digest
    }

    /// Keyed with the ASCII bytes of a hexadecimal key, which is not decoded first (milagro protocol, section 2).
    package static func hmacSHA256(_ message: String, key: SecretBytes) -> [UInt8] {
        let message = Array(message.utf8)
        var code = [UInt8](repeating: 0, count: 32)
        key.withBytes { key in
            // HMAC reads key and message within their bounds and writes 32 bytes.
            unsafe key.withUnsafeBytes { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe code.withUnsafeMutableBufferPointer { code in
                        _ = unsafe HMAC(
                            EVP_sha256(), key.baseAddress, Int32(key.count), message.baseAddress, message.count,
                            code.baseAddress, nil)
                    }
                }
            }
        }
        return code
    }

    /// Equality whose duration tells nothing about where two values differ.
    package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}
