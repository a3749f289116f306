// SPDX-License-Identifier: Apache-2.0

/// The permission for one identity to log in on one day, a point of G1: the sum of the issuers' shares. Wiped when the
/// last copy goes; compared in constant time.
public struct TimePermit: Sendable, Equatable {
    /// The day for which the permit is valid.
    public let day: EpochDay
    let point: Wiped<AffinePoint<G1>>

    /// Adds the two shares, which must be for this day. Throws `resultAtInfinity` when they cancel out.
    public init(
        combining a: TimePermitShare, _ b: TimePermitShare, day: EpochDay
    ) throws(MPinCryptoError) {
        point = try .sum(a.point, b.point)
        self.day = day
    }

    /// Reads 65 bytes. Throws `wrongLength` or `malformedPoint`.
    public init(bytes: Span<UInt8>, day: EpochDay) throws(MPinCryptoError) {
        point = Wiped(try AffinePoint(decoding: bytes))
        self.day = day
    }

    /// Reads 65 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8], day: EpochDay) throws(MPinCryptoError) { try self.init(bytes: bytes.span, day: day) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}

/// One issuer's share of a time permit, a point of G1. Wiped when the last copy goes; compared in constant time.
public struct TimePermitShare: Sendable, Equatable {
    let point: Wiped<AffinePoint<G1>>

    init(point: Wiped<AffinePoint<G1>>) { self.point = point }

    /// Reads 65 bytes. Throws `wrongLength` or `malformedPoint`.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) { point = Wiped(try AffinePoint(decoding: bytes)) }

    /// Reads 65 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}
