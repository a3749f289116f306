// SPDX-License-Identifier: Apache-2.0

/// The secret with which a server verifies proofs, a point of G2: the sum of the issuers' shares. Wiped when the last
/// copy goes; compared in constant time.
public struct ServerSecret: Sendable, Equatable {
    let point: Wiped<AffinePoint<G2>>
    /// Precomputed lines for the pairings of this point.
    let prepared: Wiped<PreparedPoint>

    private init(point: AffinePoint<G2>) {
        self.point = Wiped(point)
        prepared = Wiped(PreparedPoint(point))
    }

    /// Adds the shares of both issuers.
    ///
    /// - Parameters:
    ///   - a: one issuer's share.
    ///   - b: the other issuer's share.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` when they cancel out.
    public init(combining a: ServerSecretShare, _ b: ServerSecretShare) throws(MPinCryptoError) {
        guard let sum = (a.point.value.projective + b.point.value.projective).affine else { throw .resultAtInfinity }
        self.init(point: sum)
    }

    /// Reads 128 bytes. Throws `wrongLength`, or `malformedPoint` also for a point outside the subgroup of order r.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) {
        self.init(point: try AffinePoint(decoding: bytes))
    }

    /// Reads 128 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 128 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }

    public static func == (a: ServerSecret, b: ServerSecret) -> Bool { a.point == b.point }
}

/// One issuer's share of the server secret, a point of G2. Wiped when the last copy goes; compared in constant time.
public struct ServerSecretShare: Sendable, Equatable {
    let point: Wiped<AffinePoint<G2>>

    init(point: Wiped<AffinePoint<G2>>) { self.point = point }

    /// Reads 128 bytes. Throws `wrongLength`, or `malformedPoint` also for a point outside the subgroup of order r.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) { point = Wiped(try AffinePoint(decoding: bytes)) }

    /// Reads 128 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 128 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}
