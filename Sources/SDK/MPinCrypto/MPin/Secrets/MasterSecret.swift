// SPDX-License-Identifier: Apache-2.0

/// One issuer's share of the master secret: a number in 1 ..< r, wiped at the end of its life.
///
/// Two issuers hold one each. The security of the whole system rests on nobody ever holding their sum.
public struct MasterSecret: ~Copyable, Sendable {
    private let scalar: Wiped<Fr>

    private init(scalar: Wiped<Fr>) { self.scalar = scalar }

    /// Throws `randomnessUnavailable`.
    public static func random() throws(MPinCryptoError) -> MasterSecret {
        MasterSecret(scalar: try .random())
    }

    /// Reads 32 bytes, big-endian. Throws `wrongLength`, or `scalarOutOfRange` for a number outside 1 ..< r.
    public init(bytes: Span<UInt8>) throws(MPinCryptoError) {
        scalar = Wiped(try Fr(decodingOwn: bytes))
    }

    /// Reads 32 bytes. The caller's array is not wiped.
    public init(bytes: [UInt8]) throws(MPinCryptoError) { try self.init(bytes: bytes.span) }

    /// Lends the 32 bytes, and wipes them afterwards.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try scalar.withEncoding(body)
    }

    /// This issuer's share of the server secret: s times the generator of G2.
    public borrowing func serverSecretShare() -> ServerSecretShare {
        // The multiple is finite: r is prime and s is not a multiple of it.
        let share = G2.generator.projective.multiplied(by: scalar.value).affine
        guard let share else { preconditionFailure("a master secret cannot be zero") }
        return ServerSecretShare(point: Wiped(share))
    }

    /// This issuer's share of an identity's client secret: s times the point of the identity.
    public borrowing func clientSecretShare(
        for identity: HashedIdentity
    ) throws(MPinCryptoError) -> ClientSecretShare {
        ClientSecretShare(point: try multiple(of: identity.point))
    }

    /// This issuer's share of an identity's time permit: s times the point of the identity on that day.
    public borrowing func timePermitShare(
        for identity: HashedIdentity, on day: EpochDay
    ) throws(MPinCryptoError) -> TimePermitShare {
        TimePermitShare(point: try multiple(of: identity.point(on: day)))
    }

    private borrowing func multiple(of point: AffinePoint<G1>) throws(MPinCryptoError) -> Wiped<AffinePoint<G1>> {
        guard let multiple = point.projective.multiplied(by: scalar.value).affine else { throw .resultAtInfinity }
        return Wiped(multiple)
    }
}
