// SPDX-License-Identifier: Apache-2.0

/// gamma_k = xi^(k (p-1) / 6), in Montgomery form: the p-th power of w^k is gamma_k * w^k.
enum FrobeniusConstant {
    static var gamma1: Fp2 {
        Fp2(
            Fp(
                montgomery: Limbs(
                    0xa903_e51f_4054_b5ef, 0x6305_4ad5_b8fd_d5ed, 0x1102_1a91_766d_d4a5, 0x2083_80b9_98b0_9b1d)),
            Fp(
                montgomery: Limbs(
                    0x1562_3ed0_1bc6_9fc4, 0xc13a_8c18_5f0b_68f4, 0x9fbb_c4d3_03f5_922d, 0x037c_7f46_6fbf_8ef0)))
    }

    static var gamma2: Fp2 {
        Fp2(
            .zero,
            Fp(
                montgomery: Limbs(
                    0x54b0_6f4e_8c60_8bab, 0x6470_a2da_720b_ac3b, 0x8c17_84b6_84d1_35ef, 0x19c7_5d89_cea7_0a7f)))
    }

    static var gamma3: Fp2 {
        let part = Fp(
            montgomery: Limbs(
                0xd656_27a5_a0c0_6d95, 0x3c53_a1dd_2792_7258, 0x053c_503b_6982_afe6, 0x20d3_9d57_46f8_56f1))
        return Fp2(part, part)
    }

    static var gamma4: Fp2 {
        Fp2(
            Fp(
                montgomery: Limbs(
                    0x1fe5_73c3_07a1_33c6, 0x66b1_c257_c9ca_f40f, 0xb6e6_68f7_2c19_6629, 0x1dc7_5d89_9395_e41f)),
            .zero)
    }

    static var gamma5: Fp2 {
        Fp2(
            Fp(
                montgomery: Limbs(
                    0xc0f3_e8d5_84f9_cdd1, 0x7b19_15c4_c887_0964, 0x6580_8b68_658d_1db8, 0x1d57_1e10_d738_c800)),
            Fp(
                montgomery: Limbs(
                    0xfd72_3b19_d721_87e2, 0xa926_c129_4f82_357c, 0x4b3d_53fc_14d6_491a, 0x06a8_e1ef_3137_620d)))
    }
}

extension Fp12 {
    /// The p-th power.
    var frobenius: Fp12 {
        Fp12(
            Fp6(
                c0.c0.conjugated, c0.c1.conjugated * FrobeniusConstant.gamma2,
                c0.c2.conjugated * FrobeniusConstant.gamma4),
            Fp6(
                c1.c0.conjugated * FrobeniusConstant.gamma1, c1.c1.conjugated * FrobeniusConstant.gamma3,
                c1.c2.conjugated * FrobeniusConstant.gamma5))
    }
}
