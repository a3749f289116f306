// SPDX-License-Identifier: Apache-2.0

import Sealing

/// The SHA-256 digest of an identity, the only form in which issuers see one. It is not an identity: hashing it once
/// more gives another point.
public struct HashedIdentity: Hashable, Sendable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Throws `wrongLength` unless there are 32 bytes.
    public init(bytes: [UInt8]) throws(MPinCryptoError) {
        guard bytes.count == Digest.length else {
            throw .wrongLength(of: .hashedIdentity, expected: Digest.length, actual: bytes.count)
        }
        self.bytes = bytes
    }

    init(digest: [UInt8]) { bytes = digest }

    /// The point of the identity.
    var point: AffinePoint<G1> { AffinePoint(mapping: bytes.span) }

    /// The point of the identity on one day: of SHA-256(be32(day) || hashed identity).
    func point(on day: EpochDay) -> AffinePoint<G1> {
        AffinePoint(mapping: Digest.sha256(prefix: day.value, bytes).span)
    }
}
