// SPDX-License-Identifier: Apache-2.0

/// Exact small logarithms of pairing values, by Shanks' baby steps and giant steps.
///
/// Conjugation inverts, and leaves c0 as it is. So one table of the powers 0 ... n serves -n ... n, and steps of 2n +
/// 1 in both directions lead to all others.
struct DiscreteLogarithm {
    private let limit: Int
    private let powers: [Fp12]
    private let exponents: [UInt64: Int]
    private let giantStep: Fp12

    /// Takes a base of order r, and the greatest absolute value to look for.
    init(base: Fp12, limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
        let count = Int(Double(limit).squareRoot()) + 1
        var powers = [Fp12.one]
        for _ in 0..<count { powers.append(powers[powers.count - 1] * base) }
        self.powers = powers
        giantStep = powers[count] * powers[count] * base
        exponents = Dictionary(
            powers.enumerated().map { (Self.label($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The e in -limit ... limit with base^e = value; nil if there is none.
    func find(_ value: Fp12) -> Int? {
        let stride = 2 * powers.count - 1
        var (up, down) = (value, value)
        for step in 0...(limit / stride + 1) {
            // value = base^e is up * giantStep^-step and down * giantStep^step.
            for (candidate, distance) in [(down, step * stride), (up, -step * stride)] {
                if let exponent = smallExponent(of: candidate), abs(exponent + distance) <= limit {
                    return exponent + distance
                }
            }
            up = up * giantStep
            down = down * giantStep.conjugated
        }
        return nil
    }

    private func smallExponent(of value: Fp12) -> Int? {
        guard let exponent = exponents[Self.label(value)] else { return nil }
        if powers[exponent] == value { return exponent }
        return powers[exponent].conjugated == value ? -exponent : nil
    }

    /// A key for the table: equal for a value and its inverse, and for hardly any other value.
    private static func label(_ value: Fp12) -> UInt64 { value.c0.c0.re.canonical.w0 }
}
