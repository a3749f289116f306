// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// Compares the fast multiplications and tests with the slow ones.
struct EndomorphismTests {
    static let seed: UInt64 = 0x656e_646f

    static let edges: [Fr] = [
        .zero, .one, -.one, .one.doubled, Fr(reducing: Limbs(~0, ~0, ~0, ~0)), Fr(reducing: Fr.modulus), G1.lambda,
        -G1.lambda,
        G1.lambda + .one, G1.lambda.squared, psiLambda, -psiLambda, psiLambda - .one, psiLambda.squared,
        Fr(reducing: Limbs(0, 0, 1, 0)), Fr(reducing: Limbs(~0, ~0, 0, 0)),
        Fr(reducing: Limbs(~0, ~0, ~0, 0)), Fr(reducing: Limbs(8, 0, 0, 0)), Fr(reducing: Limbs(7, 0, 0, 0)),
    ]

    /// 6x^2, the factor of psi in G2.
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
        #expect(G1.lambda != .one && G1.lambda * G1.lambda * G1.lambda == .one)
        checkHalves(G1.self, G1.lambda)
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
        checkMultiples([G1.generator.projective, random.g1(), .infinity], G1.lambda)
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
