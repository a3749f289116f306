// SPDX-License-Identifier: Apache-2.0

/// The optimal ate pairing e(P, Q), raised to exactly (p^12 - 1) / r.
enum Pairing {
    /// e(p, q).
    static func value(_ p: AffinePoint<G1>, _ q: AffinePoint<G2>) -> Fp12 {
        finalExponentiation(millerLoop([MillerState(p, q)]))
    }

    /// e(p1, q1) * e(p2, q2), at the price of one pairing and a half.
    static func product(
        _ p1: AffinePoint<G1>, _ q1: AffinePoint<G2>, _ p2: AffinePoint<G1>, _ q2: AffinePoint<G2>
    ) -> Fp12 {
        finalExponentiation(millerLoop([MillerState(p1, q1), MillerState(p2, q2)]))
    }

    /// Whether e(p1, q1) * e(p2, q2) = 1.
    static func productIsOne(
        _ p1: AffinePoint<G1>, _ q1: AffinePoint<G2>, _ p2: AffinePoint<G1>, _ q2: AffinePoint<G2>
    ) -> Bool {
        product(p1, q1, p2, q2) == .one
    }

    /// |6x + 2|, 65 bits long.
    private static var loopLength: UInt128 { 0x1_8000_0000_1680_7024 }

    /// The product of the Miller functions of all pairs. The points must be finite and the second ones in G2.
    private static func millerLoop<let count: Int>(_ pairs: InlineArray<count, MillerState>) -> Fp12 {
        var pairs = pairs
        var f = Fp12.one
        for bit in (0..<64).reversed() {
            f = f.squared
            for index in pairs.indices { f = f.times(pairs[index].double()) }
            if loopLength >> bit & 1 == 1 {
                for index in pairs.indices { f = f.times(pairs[index].add(pairs[index].q)) }
            }
        }
        // 6x + 2 is negative. The conjugate stands for the inverse: their quotient does not survive the final exponent.
        f = f.conjugated
        for index in pairs.indices {
            pairs[index].negate()
            let psi = pairs[index].q.psi
            f = f.times(pairs[index].add(psi))
            f = f.times(pairs[index].add(-psi.psi))
        }
        return f
    }
}
