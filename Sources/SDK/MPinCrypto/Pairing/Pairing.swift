// SPDX-License-Identifier: Apache-2.0

/// The optimal ate pairing e(P, Q), raised to exactly (p^12 - 1) / r.
enum Pairing {
    /// e(p, q).
    static func value(_ p: AffinePoint<G1>, _ q: AffinePoint<G2>) -> Fp12 { product(PlainPair(p, q), NoPair()) }

    /// The product of the pairings of two or three pairs. Two cost as much as one pairing and a half, or less if a
    /// point is prepared. The points must be finite and the second ones in G2.
    static func product(
        _ first: some MillerPair, _ second: some MillerPair, _ third: some MillerPair = NoPair()
    ) -> Fp12 {
        finalExponentiation(millerLoop(first, second, third))
    }

    /// |6x + 2|, 65 bits long.
    private static var loopLength: UInt128 { 0x1_8000_0000_1680_7024 }

    /// The bits of the loop length below the highest, in the order of the loop.
    static var loopBits: ReversedCollection<Range<Int>> { (0..<64).reversed() }

    /// Whether a chord follows the tangent at this bit.
    static func hasChord(_ bit: Int) -> Bool { loopLength >> UInt128(bit) & 1 == 1 }

    private static func millerLoop(
        _ first: some MillerPair, _ second: some MillerPair, _ third: some MillerPair
    ) -> Fp12 {
        var (first, second, third) = (first, second, third)
        var f = Fp12.one
        for bit in loopBits {
            f = f.squared
            first.multiplyTangent(into: &f)
            second.multiplyTangent(into: &f)
            third.multiplyTangent(into: &f)
            if hasChord(bit) {
                first.multiplyChord(into: &f)
                second.multiplyChord(into: &f)
                third.multiplyChord(into: &f)
            }
        }
        // 6x + 2 is negative. The conjugate replaces the inverse: the final exponentiation cancels their quotient.
        f = f.conjugated
        first.multiplyLastLines(into: &f)
        second.multiplyLastLines(into: &f)
        third.multiplyLastLines(into: &f)
        return f
    }
}
