// SPDX-License-Identifier: Apache-2.0

/// One issuer's share of a time permit, a point of G1. Wiped when the last copy goes; compared in constant time.
public struct TimePermitShare: Sendable, Equatable {
    let point: Wiped<AffinePoint<G1>>

    init(point: Wiped<AffinePoint<G1>>) { self.point = point }

    /// Reads 65 bytes. Throws `wrongLength` or `malformedPoint`.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) { point = Wiped(try AffinePoint(decoding: bytes)) }

    /// As `init(bytes:)` on a span. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}
