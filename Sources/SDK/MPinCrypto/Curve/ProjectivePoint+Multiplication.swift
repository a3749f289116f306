// SPDX-License-Identifier: Apache-2.0

extension ProjectivePoint {
    /// The multiple of a point of the group of order r by a scalar that may be secret. The scalar is split in two
    /// halves, so there are 32 windows of four bits instead of 64, and both halves share the doublings.
    func multiplied(by scalar: Fr) -> Self {
        let halves = C.split(scalar)
        let multiples = SignedWindowTable(self)
        var result = Self.infinity
        for index in (0..<SplitScalar.windows).reversed() {
            let window = halves.window(index)
            result = result.doubled.doubled.doubled.doubled
            result = result + multiples.entry(window.first) + C.endomorphism(multiples.entry(window.second))
        }
        return result
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
