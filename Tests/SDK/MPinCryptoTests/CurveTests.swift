// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import MPinCrypto

/// The laws of both groups on random points, including doubling, inverse and infinity.
struct CurveTests {
    static let seed: UInt64 = 0x6375_7276

    private func checkLaws<C: Curve>(_ points: [ProjectivePoint<C>]) {
        var random = SplitMix64(seed: Self.seed)
        let infinity = ProjectivePoint<C>.infinity
        #expect(infinity.affine == nil)
        #expect((infinity + infinity).isInfinity)
        #expect(infinity.doubled.isInfinity)
        for p in points {
            #expect(p + infinity == p)
            #expect(infinity + p == p)
            #expect((p + -p).isInfinity)
            #expect(p + p == p.doubled)
            #expect(p.affine?.isOnCurve == true)
            #expect(p.affine?.projective == p)
            let (a, b) = (random.scalar(), random.scalar())
            #expect(p.multiplied(by: a) + p.multiplied(by: b) == p.multiplied(by: a + b))
            #expect(p.multiplied(by: a).multiplied(by: b) == p.multiplied(by: a * b))
            #expect(p.multiplied(by: .zero).isInfinity)
            #expect(p.multiplied(by: .one) == p)
            // (r - 1) P = -P, hence r P is infinity.
            #expect(p.multiplied(by: -.one) == -p)
            #expect(
                p.multiplied(bySmall: 999_999, windows: 10) == p.multiplied(by: Fr(reducing: Limbs(999_999, 0, 0, 0))))
            #expect(p.multiplied(bySmall: 0, windows: 10).isInfinity)
            for q in points {
                #expect(p + q == q + p)
                #expect((p + q) + p == p + (q + p))
            }
        }
    }

    @Test
    func g1() {
        var random = SplitMix64(seed: Self.seed)
        checkLaws([G1.generator.projective] + (0..<4).map { _ in random.g1() })
    }

    @Test
    func g2() {
        var random = SplitMix64(seed: Self.seed)
        let points = [G2.generator.projective] + (0..<3).map { _ in random.g2() }
        checkLaws(points)
        for point in points { #expect(point.affine?.isInSubgroup == true) }
    }

    /// psi satisfies psi^2 - t psi + p = 0, with t = 6 x^2 + 1 the trace.
    @Test
    func psiIsTheFrobeniusMap() throws {
        var random = SplitMix64(seed: Self.seed)
        let q = try #require(random.g2().affine)
        let t = Fr(reducing: Limbs(0x0054_6349_2530_3647, 0x6000_0000_0b40_3813, 0, 0))
        let p = Fr(reducing: Fp.modulus)
        let sum = q.psi.psi.projective + -q.psi.projective.multiplied(by: t) + q.projective.multiplied(by: p)
        #expect(sum.isInfinity)
    }

    @Test
    func aTwistPointOutsideTheSubgroupIsNoneOfG2() throws {
        var random = SplitMix64(seed: Self.seed)
        var found = 0
        while found < 5 {
            let x = random.fp2()
            guard let y = squareRoot(of: x.squared * x + G2.b) else { continue }
            let point = AffinePoint<G2>(x: x, y: y)
            #expect(point.isOnCurve)
            #expect(!point.isInSubgroup)
            // Its order does not divide r. The check also finds the part of order 2p - r, alone or combined.
            let rest = point.projective.multipliedInWindows(by: -.one) + point.projective
            #expect(rest.affine?.isInSubgroup == false)
            // Adding a point of the subgroup does not hide the other part.
            #expect((point.projective + random.g2()).affine?.isInSubgroup == false)
            found += 1
        }
    }

    /// A root in Fp2 by the complex method.
    private func squareRoot(of a: Fp2) -> Fp2? {
        guard let norm = (a.re.squared + a.im.squared).evenSquareRoot else { return nil }
        let half = Fp.one.doubled.inverse
        for sign in [norm, -norm] {
            guard let re = ((a.re + sign) * half).evenSquareRoot, !re.isZero else { continue }
            let root = Fp2(re, a.im * half * re.inverse)
            if root.squared == a { return root }
        }
        return nil
    }
}
