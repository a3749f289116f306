// SPDX-License-Identifier: Apache-2.0

/// The private half of a designated-verifier key: a number z in 1 ..< r, wiped at the end of its life. It is needed
/// from the start of a registration until the client secret is combined, and should not be kept longer.
public struct DVSPrivateKey: ~Copyable, Sendable {
    let scalar: Wiped<Fr>

    private init(scalar: Wiped<Fr>) { self.scalar = scalar }

    /// Throws `randomnessUnavailable`.
    public static func random() throws(MPinCryptoError) -> DVSPrivateKey {
        DVSPrivateKey(scalar: try .random())
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

    /// 1/z times the generator of G2, with the inverse modulo r.
    public var publicKey: DVSPublicKey {
        let point = G2.generator.projective.multiplied(by: scalar.value.inverse).affine
        guard let point else { preconditionFailure("a private key cannot be zero") }
        return DVSPublicKey(point)
    }
}
