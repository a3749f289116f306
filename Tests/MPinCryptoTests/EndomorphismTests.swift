// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import MPinCrypto

/// The short ways of multiplying and testing against the long ones.
struct EndomorphismTests {
    static let seed: UInt64 = 0x656e_646f

    /// lambda, the number that the endomorphism of G1 multiplies by.
    static let lambda = Fr(
        reducing: Limbs(0x5953_709b_cc14_a3b6, 0x22c4_1825_0729_4fec, 0x20bd_df64_6112_e8a9, 0x2400_0000_0870_2a0d))

    static let edges: [Fr] = [
        .zero, .one, -.one, .one.doubled, Fr(reducing: Limbs(~0, ~0, ~0, ~0)), Fr(reducing: Fr.modulus), lambda,
        -lambda,
        lambda + .one, lambda.squared, psiLambda, -psiLambda, psiLambda - .one, psiLambda.squared,
        Fr(reducing: Limbs(0, 0, 1, 0)), Fr(reducing: Limbs(~0, ~0, 0, 0)),
        Fr(reducing: Limbs(~0, ~0, ~0, 0)), Fr(reducing: Limbs(8, 0, 0, 0)), Fr(reducing: Limbs(7, 0, 0, 0)),
    ]

    /// 6x^2, the number that psi multiplies by in G2.
    static let psiLambda = Fr(reducing: Limbs(0x0054_6349_2530_3646, 0x6000_0000_0b40_3813, 0, 0))

    private func checkHalves<C: Curve>(_: C.Type, _ lambda: Fr) {
        var random = SplitMix64(seed: Self.seed)
        let eight = Fr(reducing: Limbs(8, 0, 0, 0))
        for scalar in Self.edges + (0..<300).map({ _ in random.scalar() }) {
            let halves = C.split(scalar)
            var (first, second) = (Fr.zero, Fr.zero)
            for index in (0..<SplitScalar.windows).reversed() {
                let window = halves.window(index)
                first = first.doubled.doubled.doubled.doubled + Fr(reducing: Limbs(window.first, 0, 0, 0)) - eight
                second = second.doubled.doubled.doubled.doubled + Fr(reducing: Limbs(window.second, 0, 0, 0)) - eight
            }
            #expect(first + second * lambda == scalar, "\(scalar)")
        }
    }

    @Test
    func halvesAddUp() {
        #expect(Self.lambda != .one && Self.lambda * Self.lambda * Self.lambda == .one)
        checkHalves(G1.self, Self.lambda)
        checkHalves(G2.self, Self.psiLambda)
    }

    private func checkMultiples<C: Curve>(_ points: [ProjectivePoint<C>], _ lambda: Fr) {
        var random = SplitMix64(seed: Self.seed)
        for point in points {
            #expect(C.endomorphism(point) == point.multipliedInWindows(by: lambda))
            for scalar in Self.edges + (0..<3).map({ _ in random.scalar() }) {
                #expect(point.multiplied(by: scalar) == point.multipliedInWindows(by: scalar), "\(scalar)")
            }
        }
    }

    @Test
    func bothWaysOfMultiplyingAgree() {
        var random = SplitMix64(seed: Self.seed)
        checkMultiples([G1.generator.projective, random.g1(), .infinity], Self.lambda)
        checkMultiples([G2.generator.projective, random.g2()], Self.psiLambda)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 1_000, 9_999, 65_535, 999_999, 1_048_575] as [UInt64])
    func smallNumbers(number: UInt64) {
        let point = G1.generator.projective
        let scalar = Fr(reducing: Limbs(number, 0, 0, 0))
        #expect(point.multiplied(bySmall: number, windows: 10) == point.multipliedInWindows(by: scalar))
    }

    @Test
    func everyEntryOfATable() {
        let point = G1.generator.projective
        let table = SignedWindowTable(point)
        for window in 0..<16 as Range<UInt64> {
            let scalar = Fr(reducing: Limbs(window, 0, 0, 0)) - Fr(reducing: Limbs(8, 0, 0, 0))
            #expect(table.entry(window) == point.multipliedInWindows(by: scalar))
        }
    }
}
