// SPDX-License-Identifier: Apache-2.0

/// The scalars: integers modulo the order of the groups, r = 36x^4 + 36x^3 + 18x^2 + 6x + 1 with x =
/// -0x4000000003C012B1.
struct Fr: PrimeField {
    var limbs: Limbs

    @inline(__always)
    init(montgomery limbs: Limbs) { self.limbs = limbs }

    static var modulus: Limbs {
        @inline(__always) get {
            Limbs(0xbe11_c0a6_36eb_1f6d, 0xc43f_d6ee_0cc9_06ce, 0xb0bd_df64_7a63_66d2, 0x2400_0000_0870_2a0d)
        }
    }

    static var montgomeryOne: Limbs {
        @inline(__always) get {
            Limbs(0xcd83_bb74_7f92_2405, 0xa241_1f7d_a680_d058, 0x2ace_e440_a748_303c, 0x03ff_ffff_c4ee_d9a0)
        }
    }

    static var montgomerySquare: Limbs {
        @inline(__always) get {
            Limbs(0x7c88_2d12_fb96_bfae, 0xa28f_033a_656f_a449, 0xfac7_8569_46c1_7599, 0x104e_0b77_e15d_4cd6)
        }
    }

    static var negatedInverse: UInt64 {
        @inline(__always) get { 0x77a1_aafa_9a63_3d9b }
    }
}
