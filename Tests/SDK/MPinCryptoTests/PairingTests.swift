// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

struct PairingTests {
    static let seed: UInt64 = 0x7061_6972

    @Test
    func isBilinear() throws {
        var random = SplitMix64(seed: Self.seed)
        for _ in 0..<3 {
            let (p, q, a) = (random.g1(), random.g2(), random.scalar())
            let (p2, q2) = (random.g1(), random.g2())
            let value = try pairing(p, q)
            #expect(try pairing(p.multiplied(by: a), q) == power(value, a))
            #expect(try pairing(p, q.multiplied(by: a)) == power(value, a))
            #expect(try pairing(p + p2, q) == value * pairing(p2, q))
            #expect(try pairing(p, q + q2) == value * pairing(p, q2))
            #expect(try pairing(-p, q) == value.conjugated)
        }
    }

    @Test
    func hasOrderR() throws {
        var random = SplitMix64(seed: Self.seed)
        let value = try pairing(random.g1(), random.g2())
        #expect(value != .one)
        #expect(power(value, -.one) * value == .one)
    }

    @Test
    func products() throws {
        var random = SplitMix64(seed: Self.seed)
        let (p, q, a) = (random.g1(), random.g2(), random.scalar())
        let g1 = try #require(p.affine)
        let g1Multiple = try #require(p.multiplied(by: -a).affine)
        let g2 = try #require(q.affine)
        let g2Multiple = try #require(q.multiplied(by: a).affine)
        let one = Pairing.product(PlainPair(g1, g2Multiple), PlainPair(g1Multiple, g2))
        #expect(one == .one)
        #expect(Pairing.product(PlainPair(g1, g2Multiple), PlainPair(g1, g2)) != .one)
    }

    /// All ways to get the lines give the same value.
    @Test
    func preparedPoints() throws {
        var random = SplitMix64(seed: Self.seed)
        for q in [G2.generator, try #require(random.g2().affine)] {
            let (p1, p2) = (try #require(random.g1().affine), try #require(random.g1().affine))
            let prepared = PreparedPoint(q)
            let value = Pairing.value(p1, q)
            #expect(Pairing.product(PreparedPair(p1, prepared), NoPair()) == value)
            #expect(
                Pairing.product(PreparedPair(p2, .generator), PreparedPair(p1, prepared))
                    == Pairing.value(p2, G2.generator) * value)
            #expect(
                Pairing.product(PlainPair(p2, G2.generator), PreparedPair(p1, prepared))
                    == Pairing.value(p2, G2.generator) * value)
        }
    }

    private func pairing(_ p: ProjectivePoint<G1>, _ q: ProjectivePoint<G2>) throws -> Fp12 {
        Pairing.value(try #require(p.affine), try #require(q.affine))
    }

    private func power(_ value: Fp12, _ exponent: Fr) -> Fp12 {
        let digits = exponent.canonical
        var result = Fp12.one
        for index in (0..<64).reversed() {
            result = result.squared.squared.squared.squared
            for _ in 0..<digits.window(index) { result = result * value }
        }
        return result
    }
}
