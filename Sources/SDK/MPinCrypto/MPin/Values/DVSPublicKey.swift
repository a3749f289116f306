// SPDX-License-Identifier: Apache-2.0

/// The public half of a designated-verifier key: a point of G2, checked to be one.
public struct DVSPublicKey: Sendable {
    /// 128 bytes: re(x), im(x), re(y), im(y).
    public let bytes: [UInt8]
    let point: AffinePoint<G2>

    /// Throws `wrongLength` or `malformedPoint`; a point outside the subgroup of order r is refused.
    public init(bytes: [UInt8]) throws(MPinCryptoError) {
        point = try AffinePoint(decoding: bytes.span)
        self.bytes = bytes
    }

    init(_ point: AffinePoint<G2>) {
        self.point = point
        bytes = [UInt8](point.encoded)
    }
}

extension DVSPublicKey: Hashable {
    public static func == (a: DVSPublicKey, b: DVSPublicKey) -> Bool { a.bytes == b.bytes }
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
