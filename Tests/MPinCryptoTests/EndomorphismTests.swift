// SPDX-License-Identifier: Apache-2.0

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
        lambda + .one, lambda.squared, Fr(reducing: Limbs(0, 0, 1, 0)), Fr(reducing: Limbs(~0, ~0, 0, 0)),
        Fr(reducing: Limbs(~0, ~0, ~0, 0)), Fr(reducing: Limbs(8, 0, 0, 0)), Fr(reducing: Limbs(7, 0, 0, 0)),
    ]

    @Test
    func halvesAddUp() {
        var random = SplitMix64(seed: Self.seed)
        #expect(Self.lambda != .one && Self.lambda * Self.lambda * Self.lambda == .one)
        for scalar in Self.edges + (0..<500).map({ _ in random.scalar() }) {
            let halves = SplitScalar(scalar)
            func value(_ half: UInt128) -> Fr {
                var value = Fr.zero
                for index in (0..<SplitScalar.windows).reversed() {
                    let window = Fr(reducing: Limbs(SplitScalar.window(index, of: half), 0, 0, 0))
                    value = value.doubled.doubled.doubled.doubled + window - Fr(reducing: Limbs(8, 0, 0, 0))
                }
                return value
            }
            #expect(value(halves.first) + value(halves.second) * Self.lambda == scalar, "\(scalar)")
        }
    }

    @Test
    func bothWaysOfMultiplyingAgree() {
        var random = SplitMix64(seed: Self.seed)
        let points = [G1.generator.projective, random.g1(), .infinity]
        for point in points {
            for scalar in Self.edges + (0..<4).map({ _ in random.scalar() }) {
                #expect(point.multiplied(by: scalar) == point.multipliedInWindows(by: scalar), "\(scalar)")
            }
        }
        for number in [0, 1, 2, 3, 4, 5, 1_000, 9_999, 65_535, 999_999, 1_048_575] as [UInt64] {
            let scalar = Fr(reducing: Limbs(number, 0, 0, 0))
            #expect(points[1].multiplied(bySmall: number, windows: 10) == points[1].multipliedInWindows(by: scalar))
        }
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
