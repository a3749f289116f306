// SPDX-License-Identifier: Apache-2.0

/// Corrects code words that are wrong, and some that are known to be doubtful, in one block (ISO/IEC 18004, annex B).
struct ReedSolomonDecoder {
    /// More coefficients than any polynomial here has: a block has at most 30 error correction code words.
    private static let capacity = 64

    private var syndromes = [UInt8](repeating: 0, count: capacity)
    private var locator = [UInt8](repeating: 0, count: capacity)
    private var next = [UInt8](repeating: 0, count: capacity)
    private var shifted = [UInt8](repeating: 0, count: capacity)
    private var evaluator = [UInt8](repeating: 0, count: capacity)
    private var roots = [Int](repeating: 0, count: capacity)
    /// The length of the block, and how many of its code words are for error correction.
    private var count = 0
    private var checkWords = 0
    /// The degree of ``locator``: the number of code words that are erased or wrong.
    private var degree = 0

    /// - Parameters:
    ///   - block: data, then error correction code words; corrected in place, unchanged where that fails.
    ///   - count: the block's length.
    ///   - checkWords: how many of them are for error correction.
    ///   - erasures: positions of doubtful code words; only the first `erased` are used.
    ///   - spare: syndromes that are used only to check. The others must suffice for the erased words and twice the
    ///     other wrong words.
    /// - Returns: whether the block is a code word now.
    mutating func correct(
        _ block: inout [UInt8], count: Int, checkWords: Int, erasures: [Int], erased: Int, spare: Int
    ) -> Bool {
        (self.count, self.checkWords) = (count, checkWords)
        guard takeSyndromes(block) else { return true }
        guard erased + spare <= checkWords, findLocator(erasures: erasures.prefix(erased)),
            2 * degree - erased <= checkWords - spare, findRoots()
        else { return false }
        takeEvaluator()
        applyMagnitudes(to: &block)
        if !takeSyndromes(block) { return true }
        applyMagnitudes(to: &block)
        return false
    }

    /// - Returns: whether any syndrome is not zero.
    private mutating func takeSyndromes(_ block: [UInt8]) -> Bool {
        var isWrong = false
        for index in 0..<checkWords {
            var sum: UInt8 = 0
            for position in 0..<count {
                if sum != 0 { sum = GaloisField.powers[Int(GaloisField.logarithms[Int(sum)]) + index] }
                sum ^= block[position]
            }
            syndromes[index] = sum
            if sum != 0 { isWrong = true }
        }
        return isWrong
    }

    /// Berlekamp's and Massey's algorithm, begun with the locator of the erasures.
    ///
    /// - Returns: false when the locator's degree does not match its length.
    private mutating func findLocator(erasures: ArraySlice<Int>) -> Bool {
        takeLocator(of: erasures)
        for index in 0...checkWords { shifted[index] = locator[index] }
        var length = erasures.count
        for step in erasures.count..<checkWords {
            var discrepancy: UInt8 = 0
            for index in 0...min(length, step) {
                discrepancy ^= GaloisField.product(locator[index], syndromes[step - index])
            }
            for index in stride(from: checkWords, to: 0, by: -1) { shifted[index] = shifted[index - 1] }
            shifted[0] = 0
            guard discrepancy != 0 else { continue }
            for index in 0...checkWords {
                next[index] = locator[index] ^ GaloisField.product(discrepancy, shifted[index])
            }
            if 2 * length <= step + erasures.count {
                length = step + 1 + erasures.count - length
                for index in 0...checkWords { shifted[index] = GaloisField.quotient(locator[index], discrepancy) }
            }
            swap(&locator, &next)
        }
        degree = checkWords
        while degree > 0, locator[degree] == 0 { degree -= 1 }
        return degree == length
    }

    private mutating func takeLocator(of erasures: ArraySlice<Int>) {
        for index in 0...checkWords { locator[index] = index == 0 ? 1 : 0 }
        for (number, erasure) in erasures.enumerated() {
            let position = GaloisField.power(count - 1 - erasure)
            for index in stride(from: number + 1, to: 0, by: -1) {
                locator[index] ^= GaloisField.product(locator[index - 1], position)
            }
        }
    }

    /// - Returns: whether all roots stand for positions within the block.
    private mutating func findRoots() -> Bool {
        var found = 0
        for power in 0..<count where value(of: locator, degree: degree, atMinus: power) == 0 {
            guard found < degree else { return false }
            roots[found] = power
            found += 1
        }
        return found == degree
    }

    private func value(of polynomial: [UInt8], degree: Int, atMinus power: Int) -> UInt8 {
        var sum: UInt8 = 0
        for index in 0...degree where polynomial[index] != 0 {
            let exponent =
                Int(GaloisField.logarithms[Int(polynomial[index])]) + GaloisField.order * ReedSolomonDecoder.capacity
                - power * index
            sum ^= GaloisField.powers[exponent % GaloisField.order]
        }
        return sum
    }

    private mutating func takeEvaluator() {
        for index in 0..<checkWords {
            var sum: UInt8 = 0
            for part in 0...min(index, degree) {
                sum ^= GaloisField.product(locator[part], syndromes[index - part])
            }
            evaluator[index] = sum
        }
        // The derivative: in this field the even powers vanish.
        for index in 0...degree { next[index] = index % 2 == 0 && index < degree ? locator[index + 1] : 0 }
    }

    /// Forney's formula. Twice applied, it undoes itself.
    private func applyMagnitudes(to block: inout [UInt8]) {
        for index in 0..<degree {
            let power = roots[index]
            let slope = value(of: next, degree: degree, atMinus: power)
            guard slope != 0 else { continue }
            let above = value(of: evaluator, degree: checkWords - 1, atMinus: power)
            let magnitude = GaloisField.product(GaloisField.power(power), GaloisField.quotient(above, slope))
            block[count - 1 - power] ^= magnitude
        }
    }
}
