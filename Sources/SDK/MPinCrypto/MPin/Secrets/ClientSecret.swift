// SPDX-License-Identifier: Apache-2.0

/// The secret of one identity, a point of G1: the sum of the issuers' shares. It exists between the arrival of the
/// shares and the extraction of the PIN, and is never stored. Wiped when the last copy goes; compared in constant time.
public struct ClientSecret: Sendable, Equatable {
    let point: Wiped<AffinePoint<G1>>

    /// Adds the shares of both issuers.
    ///
    /// - Parameters:
    ///   - a: one issuer's share.
    ///   - b: the other issuer's share.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` when they cancel out.
    public init(combining a: ClientSecretShare, _ b: ClientSecretShare) throws(MPinCryptoError) {
        point = try .sum(a.point, b.point)
    }

    /// Adds the shares of both issuers and multiplies by the private key of the identity.
    ///
    /// - Parameters:
    ///   - a: one issuer's share.
    ///   - b: the other issuer's share.
    ///   - dvsKey: the private key, which is not needed after this.
    /// - Throws: ``MPinCryptoError/resultAtInfinity`` when the shares cancel out.
    public init(
        combining a: ClientSecretShare, _ b: ClientSecretShare, dvsKey: borrowing DVSPrivateKey
    ) throws(MPinCryptoError) {
        let sum = try Wiped.sum(a.point, b.point)
        guard let product = sum.value.projective.multiplied(by: dvsKey.scalar.value).affine else {
            throw .resultAtInfinity
        }
        point = Wiped(product)
    }

    /// Reads 65 bytes. Throws `wrongLength` or `malformedPoint`.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) { point = Wiped(try AffinePoint(decoding: bytes)) }

    /// Reads 65 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 65 bytes, and wipes them afterwards.
    public func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try point.withEncoding(body)
    }
}

/// One issuer's share of a client secret, a point of G1. Wiped when the last copy goes; compared in constant time.
public struct ClientSecretShare: Sendable, Equatable {
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
