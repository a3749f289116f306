// SPDX-License-Identifier: Apache-2.0

/// The base field of BN254CX: p = 36x^4 + 36x^3 + 24x^2 + 6x + 1 with x = -0x4000000003C012B1.
struct Fp: PrimeField {
    var limbs: Limbs

    @inline(__always)
    init(montgomery limbs: Limbs) { self.limbs = limbs }

    static var modulus: Limbs {
        @inline(__always) get {
            Limbs(0xbe66_23ef_5c1b_55b3, 0x243f_d6ee_1809_3ee1, 0xb0bd_df64_7a63_66d3, 0x2400_0000_0870_2a0d)
        }
    }

    static var montgomeryOne: Limbs {
        @inline(__always) get {
            Limbs(0xcb35_0474_7b40_a81b, 0x0241_1f7d_57bf_47d3, 0x2ace_e440_a748_303a, 0x03ff_ffff_c4ee_d9a0)
        }
    }

    static var montgomerySquare: Limbs {
        @inline(__always) get {
            Limbs(0x1ab5_6897_efb9_b4e3, 0xa691_c071_3a43_1a9c, 0xb09d_2443_2010_d99d, 0x0984_f987_7b26_5a33)
        }
    }

    static var negatedInverse: UInt64 {
        @inline(__always) get { 0xef4e_205b_f978_9e85 }
    }

    /// (p + 1) / 4. Because p = 3 mod 4, a square to this power is a root of it.
    private static var rootExponent: Limbs {
        Limbs(0x6f99_88fb_d706_d56d, 0xc90f_f5bb_8602_4fb8, 0x6c2f_77d9_1e98_d9b4, 0x0900_0000_021c_0a83)
    }

    /// Whether a public value has a square root.
    var isSquare: Bool {
        // The stored number is the value times 2^256, and 2^256 is a square.
        limbs.jacobiSymbol(Fp.modulus) >= 0
    }

    /// The even square root; nil when there is none.
    var evenSquareRoot: Fp? {
        let root = power(Fp.rootExponent)
        guard root.squared == self else { return nil }
        return .select(0 &- (root.canonical.w0 & 1), -root, root)
    }
}
