// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The server's random number y, sent after it has received the commitment and used once.
public struct Challenge: Sendable {
    /// 32 bytes, big-endian, exactly as sent.
    public let bytes: [UInt8]
    let scalar: Fr

    /// Reads a challenge; the number is reduced modulo r.
    ///
    /// Throws `wrongLength` unless there are 32 bytes, and `scalarOutOfRange` for 0 modulo r, with which the response
    /// would prove nothing.
    public init(bytes: [UInt8]) throws(MPinCryptoError) {
        try self.init(withoutCheckingZero: bytes)
        guard !scalar.isZero else { throw .scalarOutOfRange }
    }

    /// Draws a challenge uniformly from 1 ..< r. Throws `randomnessUnavailable`.
    public static func random() throws(MPinCryptoError) -> Challenge {
        Challenge(try Wiped<Fr>.random().value)
    }

    /// Takes a challenge whose number may be 0 modulo r, for known answers only.
    package init(withoutCheckingZero bytes: [UInt8]) throws(MPinCryptoError) {
        scalar = try Fr(decodingPeer: bytes.span)
        self.bytes = bytes
    }

    init(_ scalar: Fr) {
        self.scalar = scalar
        bytes = [UInt8](scalar.encoded)
    }
}

extension Challenge {
    /// Derives a challenge instead of receiving it: SHA-256(be32(time) || commitment || message) modulo r. Throws
    /// `scalarOutOfRange` if it is 0, which practically never happens.
    package init(time: Timestamp, commitment: [UInt8], message: [UInt8]) throws(MPinCryptoError) {
        try self.init(bytes: Digest.sha256(prefix: time.value, commitment + message))
    }
}
