// SPDX-License-Identifier: Apache-2.0

import COpenSSL
public import LoginValues

extension SecretBytes {
    /// A key for one purpose, derived from a key with several: HMAC-SHA-256 of the purpose (NIST SP 800-108r1, one
    /// block). A derived key reveals nothing about the others, nor about the original.
    ///
    /// - Parameter purpose: ASCII; different for each purpose.
    /// - Returns: 32 bytes; nil when OpenSSL failed.
    public func derivedKey(for purpose: String) -> SecretBytes? {
        let purpose = Array(purpose.utf8)
        return withBytes { key in
            do throws(NotDerived) {
                return try SecretBytes(count: Int(SHA256_DIGEST_LENGTH)) { derived throws(NotDerived) in
                    var count: UInt32 = 0
                    let isDerived = unsafe derived.withUnsafeMutableBytes { derived in
                        unsafe key.withUnsafeBytes { key in
                            unsafe HMAC(
                                EVP_sha256(), key.baseAddress, Int32(key.count), purpose, purpose.count,
                                derived.assumingMemoryBound(to: UInt8.self).baseAddress, &count) != nil
                        }
                    }
                    guard isDerived else { throw NotDerived() }
                }
            } catch { return nil }
        }
    }

    private struct NotDerived: Error {}
}
