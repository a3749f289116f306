// SPDX-License-Identifier: Apache-2.0

extension Limbs {
    /// x * y / 2^256 modulo `modulus`, below (x * y / 2^256) + modulus. At most one factor may reach four
    /// times the modulus.
    ///
    /// Multiplication and reduction alternate word by word. The running value stays below x + modulus, and the modulus
    /// is below 2^254, so no carry leaves the four words.
    @inline(__always)
    static func montgomeryProduct(_ x: Limbs, _ y: Limbs, modulus: Limbs, negatedInverse: UInt64) -> Limbs {
        var t = Limbs.zero
        t.addMontgomeryRow(Row(x, y.w0), modulus, negatedInverse)
        t.addMontgomeryRow(Row(x, y.w1), modulus, negatedInverse)
        t.addMontgomeryRow(Row(x, y.w2), modulus, negatedInverse)
        t.addMontgomeryRow(Row(x, y.w3), modulus, negatedInverse)
        return t
    }

    /// (a * b + c * d) / 2^256 modulo `modulus`, below (a * b + c * d) / 2^256 + modulus, for numbers below twice the
    /// modulus. Two products share one reduction.
    @inline(__always)
    static func montgomerySum(
        _ a: Limbs, _ b: Limbs, _ c: Limbs, _ d: Limbs, modulus: Limbs, negatedInverse: UInt64
    ) -> Limbs {
        var t = Limbs.zero
        t.addMontgomeryRow(Row(a, b.w0), Row(c, d.w0), modulus, negatedInverse)
        t.addMontgomeryRow(Row(a, b.w1), Row(c, d.w1), modulus, negatedInverse)
        t.addMontgomeryRow(Row(a, b.w2), Row(c, d.w2), modulus, negatedInverse)
        t.addMontgomeryRow(Row(a, b.w3), Row(c, d.w3), modulus, negatedInverse)
        return t
    }

    /// self = (self + row + m * modulus) / 2^64, with the m that makes the division exact.
    @inline(__always)
    private mutating func addMontgomeryRow(_ row: Row, _ modulus: Limbs, _ negatedInverse: UInt64) {
        let (sum, carry) = addingWithCarry(row.low)
        self = sum.dividedByWord(with: row.w4 &+ carry, modulus, negatedInverse)
    }

    @inline(__always)
    private mutating func addMontgomeryRow(
        _ first: Row, _ second: Row, _ modulus: Limbs, _ negatedInverse: UInt64
    ) {
        let (half, halfCarry) = addingWithCarry(first.low)
        let (sum, carry) = half.addingWithCarry(second.low)
        self = sum.dividedByWord(
            with: first.w4 &+ halfCarry &+ second.w4 &+ carry, modulus, negatedInverse)
    }

    /// (self + w4 * 2^256 + m * modulus) / 2^64, with the m that makes the division exact.
    @inline(__always)
    private func dividedByWord(with w4: UInt64, _ modulus: Limbs, _ negatedInverse: UInt64) -> Limbs {
        let multiple = Row(modulus, w0 &* negatedInverse)
        let (sum, carry) = addingWithCarry(multiple.low)
        return Limbs(sum.w1, sum.w2, sum.w3, w4 &+ multiple.w4 &+ carry)
    }
}
