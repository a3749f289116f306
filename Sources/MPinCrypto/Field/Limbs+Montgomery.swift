// SPDX-License-Identifier: Apache-2.0

extension Limbs {
    /// x * y / 2^256 modulo `modulus`. `x` must be below the modulus; `y` may be any 256-bit number.
    ///
    /// Multiplication and reduction alternate word by word. The running value stays below twice the modulus, and the
    /// modulus is below 2^254, so no carry leaves the four words.
    @inline(__always)
    static func montgomeryProduct(_ x: Limbs, _ y: Limbs, modulus: Limbs, negatedInverse: UInt64) -> Limbs {
        var t = Limbs.zero
        t.addMontgomeryRow(x, y.w0, modulus, negatedInverse)
        t.addMontgomeryRow(x, y.w1, modulus, negatedInverse)
        t.addMontgomeryRow(x, y.w2, modulus, negatedInverse)
        t.addMontgomeryRow(x, y.w3, modulus, negatedInverse)
        return t.reducedOnce(by: modulus)
    }

    /// self = (self + x * y + m * modulus) / 2^64, with the m that makes the division exact.
    @inline(__always)
    private mutating func addMontgomeryRow(_ x: Limbs, _ y: UInt64, _ modulus: Limbs, _ negatedInverse: UInt64) {
        let y = wide(y)
        var product = wide(x.w0) &* y &+ wide(w0)
        let m = wide(product.low &* negatedInverse)
        var reduced = m &* wide(modulus.w0) &+ wide(product.low)

        product = wide(x.w1) &* y &+ wide(w1) &+ wide(product.high)
        reduced = m &* wide(modulus.w1) &+ wide(product.low) &+ wide(reduced.high)
        w0 = reduced.low

        product = wide(x.w2) &* y &+ wide(w2) &+ wide(product.high)
        reduced = m &* wide(modulus.w2) &+ wide(product.low) &+ wide(reduced.high)
        w1 = reduced.low

        product = wide(x.w3) &* y &+ wide(w3) &+ wide(product.high)
        reduced = m &* wide(modulus.w3) &+ wide(product.low) &+ wide(reduced.high)
        w2 = reduced.low
        w3 = product.high &+ reduced.high
    }
}
