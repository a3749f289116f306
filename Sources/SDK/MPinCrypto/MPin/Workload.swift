// SPDX-License-Identifier: Apache-2.0

/// Parts of the arithmetic without public API, for another module that times them. Every value depends on the one
/// before, so that no work can be skipped.
package struct Workload: Sendable {
    private var element: Fp
    private var point: AffinePoint<G1>
    private let twistPoint: AffinePoint<G2>
    private let scalar: Fr

    /// Starts from a scalar: 32 bytes, big-endian, in 1 ..< r. Throws `wrongLength` or `scalarOutOfRange`.
    package init(seed: [UInt8]) throws(MPinCryptoError) {
        scalar = try Fr(decodingOwn: seed.span)
        element = Fp(reducing: scalar.canonical)
        point = G1.generator
        twistPoint = G2.generator
    }

    package mutating func multiplyFieldElements(_ count: Int) {
        let factor = element
        for _ in 0..<count { element = element * factor }
    }

    /// Multiplies a point of G1 by a scalar as if it were secret, to affine coordinates.
    package mutating func multiplyPoints(_ count: Int) throws(MPinCryptoError) {
        for _ in 0..<count {
            guard let multiple = point.projective.multiplied(by: scalar).affine else { throw .resultAtInfinity }
            point = multiple
        }
    }

    /// Pairs a point of G1 with one of G2, and derives the next point from the value.
    package mutating func pair(_ count: Int) {
        for _ in 0..<count {
            let value = Pairing.value(point, twistPoint)
            if value.c0.c0.re.limbs.w0 & 1 == 1 { point = -point }
        }
    }

    /// Maps a hash to G1, and derives the next hash from the point.
    package mutating func map(_ count: Int) {
        var hash = scalar.encoded
        for _ in 0..<count {
            point = AffinePoint(mapping: hash.span)
            let x = point.x.canonical
            var span = hash.mutableSpan
            x.write(to: &span, at: 0)
            span[31] &+= 1
        }
    }
}
