// SPDX-License-Identifier: Apache-2.0

extension Wiped<Fr> {
    func withEncoding<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        var bytes = value.encoded
        defer { cleanse(&bytes) }
        return try body(bytes.span)
    }
}

extension Wiped<AffinePoint<G1>> {
    func withEncoding<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        var bytes = value.encoded
        defer { cleanse(&bytes) }
        return try body(bytes.span)
    }

    /// The sum of two shares.
    static func sum(_ a: Wiped, _ b: Wiped) throws(MPinCryptoError) -> Wiped {
        guard let sum = (a.value.projective + b.value.projective).affine else { throw .resultAtInfinity }
        return Wiped(sum)
    }
}

extension Wiped<AffinePoint<G2>> {
    func withEncoding<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        var bytes = value.encoded
        defer { cleanse(&bytes) }
        return try body(bytes.span)
    }
}
