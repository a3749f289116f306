// SPDX-License-Identifier: Apache-2.0

/// y^2 = x^3 + 2 over Fp. The group has prime order r: every finite point of the curve belongs to it.
enum G1: Curve {
    static var b: Fp { .one.doubled }

    @inline(__always)
    static func timesThreeB(_ value: Fp) -> Fp { value.tripled.doubled }

    static var generator: AffinePoint<G1> { AffinePoint(x: -.one, y: .one) }
}

extension G1 {
    /// A cube root of 1 in the field, in Montgomery form.
    private static var beta: Fp {
        @inline(__always) get {
            Fp(
                montgomery: Limbs(
                    0x54b0_6f4e_8c60_8bab, 0x6470_a2da_720b_ac3b, 0x8c17_84b6_84d1_35ef, 0x19c7_5d89_cea7_0a7f))
        }
    }

    /// (x, y) -> (beta * x, y), the multiplication by a cube root of 1 modulo r (Gallant, Lambert and Vanstone, 2001).
    @inline(__always)
    static func endomorphism(_ point: ProjectivePoint<G1>) -> ProjectivePoint<G1> {
        ProjectivePoint(x: point.x * beta, y: point.y, z: point.z)
    }

    /// The number that the endomorphism multiplies by.
    static var lambda: Fr {
        Fr(reducing: Limbs(0x5953_709b_cc14_a3b6, 0x22c4_1825_0729_4fec, 0x20bd_df64_6112_e8a9, 0x2400_0000_0870_2a0d))
    }

    private static var latticeA: UInt128 { 0x6000_0000_0b40_3812_0054_6349_162f_eb83 }
    private static var latticeB: UInt128 { 0x8000_0000_0780_2561 }
    private static var latticeC: UInt128 { 0x6000_0000_0b40_3812_8054_6349_1db0_10e4 }

    /// c * 2^320 / r and b * 2^320 / r, rounded down.
    private static var cOverOrder: Limbs {
        Limbs(0xc253_5385_b58d_8857, 0xce24_b7de_4a8e_146c, 0xaaaa_aaaa_5aa9_1bf1, 2)
    }
    private static var bOverOrder: Limbs { Limbs(0x12c0_baea_254b_5749, 0x8e38_e38d_98e0_70c0, 3, 0) }

    /// The pairs (first, second) that stand for zero form a lattice with the basis (a, -b), (b, c), where a = 6x^2 +
    /// 4x + 1, b = -(2x + 1), c = 6x^2 + 2x and a * c + b * b = r. Subtracting the lattice point next below (scalar,
    /// 0) leaves a short pair.
    static func split(_ scalar: Fr) -> SplitScalar {
        let number = scalar.canonical
        let products = (number.upperHalf(times: cOverOrder), number.upperHalf(times: bOverOrder))
        let alongFirst = UInt128(_low: products.0.w1, _high: products.0.w2)
        let alongSecond = UInt128(_low: products.1.w1, _high: products.1.w2)
        // The differences are small: what lies above 128 bits cancels out.
        return SplitScalar(
            first: UInt128(_low: number.w0, _high: number.w1) &- alongFirst &* latticeA &- alongSecond &* latticeB,
            second: alongFirst &* latticeB &- alongSecond &* latticeC)
    }
}
