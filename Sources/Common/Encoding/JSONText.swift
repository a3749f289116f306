// SPDX-License-Identifier: Apache-2.0

/// The characters of a JSON text (RFC 8259, section 7).
package enum JSONText {
    /// Characters that may follow a backslash.
    static let escapes = Array(#""\/bfnrtu"#.utf8)

    /// Resolves escapes.
    ///
    /// - Parameter characters: the text between the quotes, valid UTF-8 without control characters.
    /// - Returns: nil for an unknown escape, and for half a surrogate pair.
    package static func decode(_ characters: Span<UInt8>) -> String? {
        // Nearly every text is written as it is. Safe: the bytes are lent for the call.
        let first = characters.indices.first { characters[$0] == UInt8(ascii: "\\") } ?? characters.count
        var bytes = unsafe characters.withUnsafeBufferPointer { unsafe Array($0.prefix(first)) }
        var index = first
        while index < characters.count {
            if characters[index] == UInt8(ascii: "\\") {
                guard let scalar = escape(in: characters, at: &index) else { return nil }
                bytes += UTF8.encode(scalar).map(Array.init) ?? []
            } else {
                bytes.append(characters[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(in characters: Span<UInt8>, at index: inout Int) -> Unicode.Scalar? {
        guard index + 1 < characters.count else { return nil }
        let letter = characters[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = codeUnit(in: characters, at: &index) else { return nil }
            guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
            guard index + 1 < characters.count, characters[index] == UInt8(ascii: "\\"),
                characters[index + 1] == UInt8(ascii: "u")
            else { return nil }
            index += 2
            guard let second = codeUnit(in: characters, at: &index), (0xDC00...0xDFFF).contains(second) else {
                return nil
            }
            return Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
        default: return nil
        }
    }

    private static func codeUnit(in characters: Span<UInt8>, at index: inout Int) -> UInt16? {
        guard index + 4 <= characters.count else { return nil }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Hexadecimal.value(of: characters[index]) else { return nil }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}
