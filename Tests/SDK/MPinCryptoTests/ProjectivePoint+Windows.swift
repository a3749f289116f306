// SPDX-License-Identifier: Apache-2.0

@testable import MPinCrypto

extension ProjectivePoint {
    /// The multiple by doublings and additions only, on any curve, to compare the fast way with.
    func multipliedInWindows(by scalar: Fr) -> Self {
        let digits = scalar.canonical
        var multiples = [Self.infinity]
        for _ in 1..<16 { multiples.append(multiples[multiples.count - 1] + self) }
        var result = Self.infinity
        for index in (0..<64).reversed() {
            result = result.doubled.doubled.doubled.doubled + multiples[Int(digits.window(index))]
        }
        return result
    }
}
