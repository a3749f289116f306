// SPDX-License-Identifier: Apache-2.0

public import Encoding

extension SecretBytes {
    /// A key for one purpose, made from a key that has several: HMAC-SHA-256 of the purpose (NIST SP 800-108r1, one
    /// block). Keys of different purposes reveal neither each other nor the key that they are derived from.
    ///
    /// - Parameter purpose: an ASCII text, different for each purpose.
    /// - Returns: 32 bytes; nil when OpenSSL could not do it.
    public func derivedKey(for purpose: String) -> SecretBytes? { Digest.hmacSHA256(Array(purpose.utf8), key: self) }
}
