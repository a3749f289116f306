// SPDX-License-Identifier: Apache-2.0

extension ProjectivePoint {
    /// The multiple by a scalar that may be secret: 64 windows of four bits, and every entry of the table is read for each.
    func multiplied(by scalar: Fr) -> Self {
        let digits = scalar.canonical
        var multiples = InlineArray<16, Self>(repeating: .infinity)
        for index in 1..<16 { multiples[index] = multiples[index - 1] + self }
        var result = Self.infinity
        for index in (0..<64).reversed() {
            result = result.doubled.doubled.doubled.doubled + Self.entry(digits.window(index), of: multiples)
        }
        return result
    }

    private static func entry(_ digit: UInt64, of multiples: borrowing InlineArray<16, Self>) -> Self {
        var chosen = multiples[0]
        for index in 1..<16 { chosen = select(maskIfEqual(digit, UInt64(index)), multiples[index], chosen) }
        return chosen
    }

    /// The multiple by a small secret number, of which the lowest `bits` bits count: doublings and additions of which each
    /// second result is masked away.
    func multiplied(bySmall number: UInt64, bits: Int) -> Self {
        var result = Self.infinity
        for bit in (0..<bits).reversed() {
            result = result.doubled
            result = .select(0 &- ((number >> UInt64(bit)) & 1), result + self, result)
        }
        return result
    }
}
