// SPDX-License-Identifier: Apache-2.0

/// y^2 = x^3 + 2/(1+i) = x^3 + (1-i) over Fp2, the sextic twist of D type. G2 is its subgroup of order r; the cofactor
/// 2p - r is a prime of 254 bits, so a point of the twist taken at random is never in G2.
enum G2: Curve {
    static var b: Fp2 { Fp2(.one, -.one) }

    @inline(__always)
    static func timesThreeB(_ value: Fp2) -> Fp2 { Fp2(value.re + value.im, value.im - value.re).tripled }

    /// The generator that all implementations use, in Montgomery form.
    static var generator: AffinePoint<G2> {
        AffinePoint(
            x: Fp2(
                Fp(
                    montgomery: Limbs(
                        0x6aad_9091_388f_6576, 0xb5c8_b4ad_f6be_b204, 0xbb79_d0e8_92a3_5c0d, 0x09ef_3698_4784_3c3d)),
                Fp(
                    montgomery: Limbs(
                        0x3306_4bbd_0b7c_86d5, 0x122f_497b_6b07_45dd, 0x8687_4a99_b8ad_23cd, 0x1a80_2142_aba5_644a))),
            y: Fp2(
                Fp(
                    montgomery: Limbs(
                        0xe497_2c6f_f85d_ea45, 0xd3fe_0c82_233b_38eb, 0x142f_84ed_4040_6b83, 0x0ede_2f7a_76b1_fd05)),
                Fp(
                    montgomery: Limbs(
                        0x9067_bb92_dec3_9ecd, 0xa45b_0506_2e08_54e4, 0x5803_f968_6275_535c, 0x0780_2067_7aa4_3d35))))
    }
}

extension AffinePoint<G2> {
    /// The Frobenius map of the curve, carried over to the twist.
    var psi: Self {
        Self(x: x.conjugated * FrobeniusConstant.gamma2, y: y.conjugated * FrobeniusConstant.gamma3)
    }

    /// Whether a point of the twist belongs to G2: exactly if (x+1) Q + psi(x Q) + psi^2(x Q) = psi^3(2x Q), which
    /// takes one multiplication by x (El Housni, Guillevic and Piellard, 2022). On G2, where psi is the multiplication
    /// by p, it holds; a point for which it holds is killed by the norm of x + 1 + x psi + x psi^2 - 2x psi^3, a number
    /// that the cofactor 2p - r does not divide.
    var isInSubgroup: Bool {
        let multiple = projective.timesParameterMagnitude
        let first = multiple.psi
        let second = first.psi
        // x is negative, so the multiples by it change sides.
        return projective + second.psi.doubled == multiple + first + second
    }
}

extension ProjectivePoint<G2> {
    /// The Frobenius map of the curve, carried over to the twist.
    var psi: Self {
        Self(
            x: x.conjugated * FrobeniusConstant.gamma2, y: y.conjugated * FrobeniusConstant.gamma3, z: z.conjugated)
    }
}

extension ProjectivePoint<G2> {
    /// The multiple by |x|, by plain doubling and adding: for public points.
    fileprivate var timesParameterMagnitude: Self {
        let magnitude = CurveParameter.magnitude
        var result = self
        for bit in (0..<UInt64.bitWidth - 1 - magnitude.leadingZeroBitCount).reversed() {
            result = result.doubled
            if magnitude >> bit & 1 == 1 { result = result + self }
        }
        return result
    }
}

extension G2 {
    /// psi, on G2 the multiplication by 6x^2 (Galbraith, Lin and Scott, 2009).
    @inline(__always)
    static func endomorphism(_ point: ProjectivePoint<G2>) -> ProjectivePoint<G2> { point.psi }

    /// 6x^2.
    private static var lambda: UInt128 { 0x6000_0000_0b40_3813_0054_6349_2530_3646 }

    /// 2^320 / 6x^2, rounded down.
    private static var inverseOfLambda: Limbs {
        Limbs(0xb943_a4cc_320a_fce1, 0xb1b2_f0c3_18cd_32f3, 0xaaaa_aaaa_5aa9_1bea, 2)
    }

    /// Quotient and remainder by 6x^2, which is about the square root of r.
    static func split(_ scalar: Fr) -> SplitScalar {
        let number = scalar.canonical
        let product = number.upperHalf(times: inverseOfLambda)
        // The quotient is one too small for multiples of 6x^2 and just above; the remainder has room for that.
        let quotient = UInt128(_low: product.w1, _high: product.w2)
        return SplitScalar(
            first: UInt128(_low: number.w0, _high: number.w1) &- quotient &* lambda, second: quotient)
    }
}
