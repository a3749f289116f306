// SPDX-License-Identifier: Apache-2.0

/// The permission for one identity to log in on one day, a point of G1: the sum of the issuers' shares. Wiped when the
/// last copy goes; compared in constant time.
public struct TimePermit: Sendable, Equatable {
    /// The day for which the permit is valid.
    public let day: EpochDay
    let point: Wiped<AffinePoint<G1>>

    /// Adds the shares of both issuers.
    ///
    /// - Parameters:
    ///   - a: one issuer's share for this day.
    ///   - b: the other issuer's share for this day.
    ///   - day: the day for which both issuers made their shares. It is not checked.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` when the shares cancel out.
    public init(
        combining a: TimePermitShare, _ b: TimePermitShare, day: EpochDay
    ) throws(MPinCryptoError) {
        point = try .sum(a.point, b.point)
        self.day = day
    }

    /// Reads a permit.
    ///
    /// - Parameters:
    ///   - bytes: a point of G1, 65 bytes: 04, x, y, big-endian.
    ///   - day: the day for which the permit is valid. It is not checked.
    /// - Throws: ``MPinCryptoError/wrongLength(of:expected:actual:)``, ``MPinCryptoError/malformedPoint(_:)``.
    public init(bytes: Span<UInt8>, day: EpochDay) throws(MPinCryptoError) {
        point = Wiped(try AffinePoint(decoding: bytes))
        self.day = day
    }

    /// Reads a permit. The caller's array is not wiped.
    ///
    /// - Parameters:
    ///   - bytes: a point of G1, 65 bytes: 04, x, y, big-endian.
    ///   - day: the day for which the permit is valid. It is not checked.
    /// - Throws: ``MPinCryptoError/wrongLength(of:expected:actual:)``, ``MPinCryptoError/malformedPoint(_:)``.
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
