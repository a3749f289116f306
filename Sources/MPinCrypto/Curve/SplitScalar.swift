// SPDX-License-Identifier: Apache-2.0

/// A scalar as first + second * lambda modulo r with halves of 127 bits, lambda being the number that the endomorphism of G1
/// multiplies by. The pairs (first, second) that stand for zero form a lattice with the basis (a, -b), (b, c), where
/// a = 6x^2 + 4x + 1, b = -(2x + 1), c = 6x^2 + 2x and a * c + b * b = r; what is left of (scalar, 0) after the nearest point of it
/// below has been taken off is short. No step depends on the scalar but by its value.
struct SplitScalar {
    /// Both halves increased by `offset`, which makes negative ones positive: a window of four bits then stands for its
    /// value less 8.
    let first, second: UInt128

    /// The number of windows in each half.
    static var windows: Int { 32 }

    /// 8 in every window.
    private static var offset: UInt128 { 0x8888_8888_8888_8888_8888_8888_8888_8888 }

    private static var a: UInt128 { 0x6000_0000_0b40_3812_0054_6349_162f_eb83 }
    private static var b: UInt128 { 0x8000_0000_0780_2561 }
    private static var c: UInt128 { 0x6000_0000_0b40_3812_8054_6349_1db0_10e4 }

    /// c * 2^320 / r and b * 2^320 / r, rounded down.
    private static var cOverOrder: Limbs {
        Limbs(0xc253_5385_b58d_8857, 0xce24_b7de_4a8e_146c, 0xaaaa_aaaa_5aa9_1bf1, 2)
    }
    private static var bOverOrder: Limbs { Limbs(0x12c0_baea_254b_5749, 0x8e38_e38d_98e0_70c0, 3, 0) }

    init(_ scalar: Fr) {
        let number = scalar.canonical
        let products = (number.upperHalf(times: Self.cOverOrder), number.upperHalf(times: Self.bOverOrder))
        let alongFirst = UInt128(_low: products.0.w1, _high: products.0.w2)
        let alongSecond = UInt128(_low: products.1.w1, _high: products.1.w2)
        // The differences are small: what lies above 128 bits cancels out.
        first =
            UInt128(_low: number.w0, _high: number.w1) &- alongFirst &* Self.a &- alongSecond &* Self.b &+ Self.offset
        second = alongFirst &* Self.b &- alongSecond &* Self.c &+ Self.offset
    }

    /// Four bits of a half; window 0 holds the least significant ones.
    @inline(__always)
    static func window(_ index: Int, of half: UInt128) -> UInt64 {
        ((index < 16 ? half.low : half.high) &>> UInt64(4 &* (index & 15))) & 15
    }
}
