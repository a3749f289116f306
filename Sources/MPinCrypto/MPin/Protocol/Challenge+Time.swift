// SPDX-License-Identifier: Apache-2.0

extension Challenge {
    /// The challenge that a client derives instead of receiving it: SHA-256(be32(time) || commitment || message) modulo
    /// r. Throws `scalarOutOfRange` in the one case of so many that it is 0.
    package init(time: Timestamp, commitment: [UInt8], message: [UInt8]) throws(MPinCryptoError) {
        try self.init(bytes: SHA256.digest(prefix: time.value, commitment + message))
    }
}
