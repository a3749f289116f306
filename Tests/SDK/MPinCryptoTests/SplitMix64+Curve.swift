// SPDX-License-Identifier: Apache-2.0

import Patience

@testable import MPinCrypto

/// Random values of the curve and its fields.
extension SplitMix64 {
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

    mutating func limbs() -> Limbs { Limbs(next(), next(), next(), next()) }

    mutating func scalar() -> Fr { Fr(reducing: limbs()) }

    mutating func g1() -> ProjectivePoint<G1> { G1.generator.projective.multiplied(by: scalar()) }

    mutating func g2() -> ProjectivePoint<G2> { G2.generator.projective.multiplied(by: scalar()) }

    mutating func fp2() -> Fp2 { Fp2(Fp(reducing: limbs()), Fp(reducing: limbs())) }

    mutating func fp6() -> Fp6 { Fp6(fp2(), fp2(), fp2()) }

    mutating func fp12() -> Fp12 { Fp12(fp6(), fp6()) }
}
