// SPDX-License-Identifier: Apache-2.0

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
        // One too small where the scalar is a multiple of 6x^2 or hardly more; the remainder has room for that.
        let quotient = UInt128(_low: product.w1, _high: product.w2)
        return SplitScalar(
            first: UInt128(_low: number.w0, _high: number.w1) &- quotient &* lambda, second: quotient)
    }
}
