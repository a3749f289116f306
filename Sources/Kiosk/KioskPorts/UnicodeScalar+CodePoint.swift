// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// The code point as the Unicode Standard writes it, such as `U+20AC`.
    public var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
