// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

/// Laws of the fields on random elements and at the borders.
struct FieldTests {
    static let seed: UInt64 = 0x6d70_696e

    /// Zero, one, their neighbours modulo the prime, and random elements.
    private func samples<F: PrimeField>(_: F.Type) -> [F] {
        var random = SplitMix64(seed: Self.seed)
        return [.zero, .one, -.one, .one.doubled, F(reducing: Limbs(~0, ~0, ~0, ~0)), F(reducing: F.modulus)]
            + (0..<20).map { _ in F(reducing: random.limbs()) }
    }

    private func checkLaws<F: PrimeField>(_ field: F.Type) {
        let samples = samples(field)
        for a in samples {
            #expect(a + .zero == a)
            #expect(a * .one == a)
            #expect(a - a == .zero)
            #expect(a + -a == .zero)
            #expect(a.squared == a * a)
            #expect(a.inverse * a == (a.isZero ? .zero : .one))
            #expect(F(canonical: a.canonical) == a)
            for b in samples {
                #expect(a + b == b + a)
                #expect(a * b == b * a)
                #expect(a - b == -(b - a))
                for c in samples.prefix(8) { #expect(a * (b + c) == a * b + a * c) }
            }
        }
    }

    @Test
    func baseField() { checkLaws(Fp.self) }

    @Test
    func scalars() { checkLaws(Fr.self) }

    @Test
    func canonicalNumbersAreBelowTheModulus() {
        let p = Fp.modulus
        #expect(Fp(canonical: Limbs(p.w0 - 1, p.w1, p.w2, p.w3)) == -.one)
        #expect(Fp(canonical: p) == nil)
        #expect(Fp(canonical: Limbs(p.w0 + 1, p.w1, p.w2, p.w3)) == nil)
        #expect(Fp(canonical: Limbs(~0, ~0, ~0, ~0)) == nil)
        #expect(Fp(reducing: p).isZero)
        #expect(Fp(reducing: Limbs(p.w0 + 1, p.w1, p.w2, p.w3)) == .one)
    }

    @Test
    func evenRoots() {
        for a in samples(Fp.self) {
            let root = a.squared.evenSquareRoot
            #expect(root == a || root == -a)
            #expect((root?.canonical.w0 ?? 1) & 1 == 0)
            // -1 is no square, because p = 3 mod 4.
            #expect(a.isZero || (-a.squared).evenSquareRoot == nil)
        }
    }

    @Test
    func tower() {
        var random = SplitMix64(seed: Self.seed)
        for _ in 0..<10 {
            let (a, b, c) = (random.fp2(), random.fp2(), random.fp2())
            #expect(a.squared == a * a)
            #expect(a * (b + c) == a * b + a * c)
            #expect(a * a.inverse == .one)
            #expect(a.timesXi == a * Fp2(.one, .one))

            let (d, e, f) = (random.fp6(), random.fp6(), random.fp6())
            #expect(d * (e + f) == d * e + d * f)
            #expect(d * e == e * d)
            #expect(d * d.inverse == .one)
            #expect(d.timesV == d * Fp6(.zero, .one, .zero))
            #expect(d.timesSparse(a, b) == d * Fp6(a, b, .zero))

            let (g, h) = (random.fp12(), random.fp12())
            #expect(g.squared == g * g)
            #expect((g * h) * g == g * (h * g))
            #expect(g * g.inverse == .one)
            let line = Line(c0: a, c1: b, c3: c)
            #expect(g.times(line) == g * Fp12(Fp6(a, .zero, .zero), Fp6(b, c, .zero)))
        }
    }

    @Test
    func frobeniusIsThePowerByP() {
        var random = SplitMix64(seed: Self.seed)
        let (a, b) = (random.fp12(), random.fp12())
        var power = Fp12.one
        for index in (0..<64).reversed() {
            power = power.squared.squared.squared.squared
            for _ in 0..<Fp.modulus.window(index) { power = power * a }
        }
        #expect(a.frobenius == power)
        #expect((a * b).frobenius == a.frobenius * b.frobenius)
        #expect((0..<6).reduce(a) { power, _ in power.frobenius } == a.conjugated)
    }

    @Test
    func cyclotomicSquares() throws {
        var random = SplitMix64(seed: Self.seed)
        for _ in 0..<5 {
            let value = Pairing.value(try #require(random.g1().affine), try #require(random.g2().affine))
            #expect(value.cyclotomicSquared == value.squared)
            #expect(value.conjugated == value.inverse)
        }
    }
}
