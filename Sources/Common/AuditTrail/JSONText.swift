// SPDX-License-Identifier: Apache-2.0

/// JSON texts (RFC 8259) in one spelling. Characters that control a terminal, and those that reorder or hide text, are
/// written as `\uXXXX`; otherwise only the quote and the backslash are escaped.
enum JSONText {
    /// A fixed list and no Unicode table, because a line must read the same in every release.
    private static func isEscaped(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The same without quotes: one line that can be shown.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped.append(contentsOf: ["\\", scalar])
            case _ where isEscaped(scalar.value):
                let digits = String(scalar.value, radix: 16)
                escaped.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Reads one value after the other.
    struct Cursor {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        /// - Returns: whether `text` came next and was skipped.
        mutating func take(_ text: StaticString) -> Bool {
            // Safe: a static string lives for ever.
            let wanted = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard unsafe rest.starts(with: wanted) else { return false }
            rest.removeFirst(wanted.count)
            return true
        }

        mutating func number() -> UInt64? {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest.removeFirst(digits.count)
            return UInt64(String(decoding: digits, as: UTF8.self))
        }

        mutating func count() -> Int? { number().flatMap { Int(exactly: $0) } }

        /// Reads a text in quotes. The caller checks which characters are escaped, by writing it again.
        mutating func text() -> String? {
            guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
            var bytes: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escape = rest.popFirst() else { return nil }
                    if escape == UInt8(ascii: "u") {
                        let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                        guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
                        rest.removeFirst(min(4, rest.count))
                        bytes += Array(String(Character(scalar)).utf8)
                    } else {
                        bytes.append(escape)
                    }
                default: bytes.append(byte)
                }
            }
            return nil
        }
    }
}
