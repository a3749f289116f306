// SPDX-License-Identifier: Apache-2.0

@testable import MPinCrypto

/// Random numbers that come again with the same seed.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    mutating func limbs() -> Limbs { Limbs(next(), next(), next(), next()) }

    mutating func scalar() -> Fr { Fr(reducing: limbs()) }

    mutating func g1() -> ProjectivePoint<G1> { G1.generator.projective.multiplied(by: scalar()) }

    mutating func g2() -> ProjectivePoint<G2> { G2.generator.projective.multiplied(by: scalar()) }

    mutating func fp2() -> Fp2 { Fp2(Fp(reducing: limbs()), Fp(reducing: limbs())) }

    mutating func fp6() -> Fp6 { Fp6(fp2(), fp2(), fp2()) }

    mutating func fp12() -> Fp12 { Fp12(fp6(), fp6()) }
}
