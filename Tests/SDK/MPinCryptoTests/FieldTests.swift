// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// The laws of the fields on random and extreme elements.
struct FieldTests {
    static let seed: UInt64 = 0x6d70_696e

    /// Zero, one, their neighbours modulo the prime, and random elements.
    private func samples<F: PrimeField>(_: F.Type) -> [F] {
        var random = SplitMix64(seed: Self.seed)
        var values: [F] = [
            .zero, .one, -F.one, F.one.doubled, F(reducing: Limbs(~0, ~0, ~0, ~0)), F(reducing: F.modulus),
        ]
        for _ in 0..<14 { values.append(F(reducing: random.limbs())) }
        // The first ones also as their other stored number, and the greatest number.
        values += values.prefix(8).map { otherForm($0) }
        return values + [F(montgomery: F.modulus.doubled.subtracting(Limbs(1, 0, 0, 0)).difference)]
    }

    /// The same value, stored as the number that differs by the modulus.
    private func otherForm<F: PrimeField>(_ a: F) -> F {
        let (difference, borrow) = a.limbs.subtracting(F.modulus)
        return F(montgomery: borrow == 0 ? difference : a.limbs.adding(F.modulus))
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
            #expect(isStoredBelowTheBorder(a + a) && isStoredBelowTheBorder(a * a) && isStoredBelowTheBorder(-a))
            #expect(otherForm(a) == a)
            #expect(otherForm(a).canonical == a.canonical)
            #expect(otherForm(a).isZero == a.isZero)
            for b in samples {
                #expect(a + b == b + a)
                #expect(a * b == b * a)
                #expect(a - b == -(b - a))
                #expect(isStoredBelowTheBorder(a + b) && isStoredBelowTheBorder(a - b))
                #expect(isStoredBelowTheBorder(a * b))
                for c in samples.prefix(4) + samples.suffix(4) {
                    #expect(a * (b + c) == a * b + a * c)
                    let sum = F.sumOfProducts(a, b, c, a)
                    #expect(sum == a * b + c * a)
                    #expect(isStoredBelowTheBorder(sum))
                    #expect(F.differenceOfProducts(a, b, c, a) == a * b - c * a)
                }
            }
        }
    }

    private func isStoredBelowTheBorder<F: PrimeField>(_ a: F) -> Bool {
        a.limbs.subtracting(F.modulus.doubled).borrow != 0
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

    /// The symbol recognises squares like the power (p - 1) / 2, for either stored number of a value.
    @Test
    func squaresAreKnownBeforeTheirRoots() {
        var random = SplitMix64(seed: Self.seed)
        let half = Limbs(0xdf33_11f7_ae0d_aad9, 0x921f_eb77_0c04_9f70, 0xd85e_efb2_3d31_b369, 0x1200_0000_0438_1506)
        var squares = 0
        for a in samples(Fp.self) + (0..<100).map({ _ in Fp(reducing: random.limbs()) }) {
            let isSquare = a.isZero || a.power(half) == .one
            #expect(a.isSquare == isSquare)
            #expect((a.evenSquareRoot != nil) == isSquare)
            if isSquare { squares += 1 }
        }
        #expect((30...100).contains(squares))
    }

    /// Modulo 45 = 3 * 3 * 5 the symbol is the one modulo 5, where 3 does not divide.
    @Test(arguments: 0...44 as ClosedRange<UInt64>)
    func jacobiSymbolsOfSmallNumbers(a: UInt64) {
        let known = a % 3 == 0 ? 0 : [0, 1, -1, -1, 1][Int(a % 5)]
        #expect(Limbs(a, 0, 0, 0).jacobiSymbol(Limbs(45, 0, 0, 0)) == known)
    }

    @Test
    func powers() {
        let a = Fp(reducing: Limbs(9, 8, 7, 6))
        #expect(a.power(.zero) == .one)
        var power = Fp.one
        for exponent in 1...40 as ClosedRange<UInt64> {
            power = power * a
            #expect(a.power(Limbs(exponent, 0, 0, 0)) == power)
        }
        #expect(a.power(Limbs(0, 0, 0, 1 << 63)) == (0..<255).reduce(a) { power, _ in power.squared })
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
            let p = AffinePoint<G1>(x: a.re, y: b.im)
            #expect(g.times(line, at: p) == g * Fp12(Fp6(a * p.y, .zero, .zero), Fp6(b * p.x, c, .zero)))
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
