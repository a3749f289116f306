// SPDX-License-Identifier: Apache-2.0

extension ProjectivePoint {
    /// The multiple by a scalar that may be secret.
    func multiplied(by scalar: Fr) -> Self { C.multiply(self, by: scalar) }

    /// The multiple by a scalar that may be secret, on any curve: 64 windows of four bits, and every entry of the table is read
    /// for each.
    func multipliedInWindows(by scalar: Fr) -> Self {
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

    /// The multiple by a secret number below 4^`windows`, in windows of two bits.
    func multiplied(bySmall number: UInt64, windows: Int) -> Self {
        let twice = doubled
        let thrice = twice + self
        var result = Self.infinity
        for index in (0..<windows).reversed() {
            let digit = (number &>> UInt64(2 * index)) & 3
            var entry = Self.select(maskIfEqual(digit, 1), self, .infinity)
            entry = .select(maskIfEqual(digit, 2), twice, entry)
            entry = .select(maskIfEqual(digit, 3), thrice, entry)
            result = result.doubled.doubled + entry
        }
        return result
    }
}
