// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Walks over one JSON text (RFC 8259) and finds where its values begin and end. It copies nothing.
///
/// Stricter than most readers, because attacks begin where two readers disagree: no trailing text, no duplicate key on
/// the outermost level, and nesting is bounded. A byte order mark before the text is ignored, as RFC 8259 allows.
struct JSONScanner {
    static let maximumDepth = 16
    static let maximumMembers = 256

    enum Kind {
        case string, number, object, array, null
        case boolean(Bool)
    }

    struct Value {
        let kind: Kind
        /// The range of a string without its quotes, or of any other value.
        let range: Range<Int>
    }

    struct Member {
        /// The range without the quotes; escapes are not yet resolved.
        let key: Range<Int>
        let value: Value
    }

    private var position = 0

    /// The members of the object in `text`. White space alone is the empty object.
    static func members(of text: Span<UInt8>) throws(JSONError) -> [Member] {
        guard text.count <= HTTPRequest.maximumReplyLength else { throw JSONError("the body is too long") }
        guard (try? UTF8Span(validating: text)) != nil else { throw JSONError("the body is not UTF-8") }
        var scanner = JSONScanner()
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { scanner.position = 3 }
        scanner.skipWhitespace(in: text)
        guard scanner.position < text.count else { return [] }
        guard text[scanner.position] == UInt8(ascii: "{") else { throw JSONError("the body is no JSON object") }
        var members: [Member] = []
        try scanner.scanObject(in: text, depth: 1) { member throws(JSONError) in
            guard members.count < maximumMembers else { throw JSONError("the object has too many members") }
            members.append(member)
        }
        scanner.skipWhitespace(in: text)
        guard scanner.position == text.count else { throw scanner.unexpected() }
        return members
    }

    /// The values of the list in `text`. A list with more than `maximum` values is refused.
    static func elements(of text: Span<UInt8>, atMost maximum: Int) throws(JSONError) -> [Value] {
        var scanner = JSONScanner()
        var values: [Value] = []
        try scanner.scanArray(in: text, depth: 1) { value throws(JSONError) in
            guard values.count < maximum else { throw JSONError("the list has too many elements") }
            values.append(value)
        }
        return values
    }

    private mutating func scanObject(
        in text: Span<UInt8>, depth: Int, found: (Member) throws(JSONError) -> Void
    ) throws(JSONError) {
        position += 1
        skipWhitespace(in: text)
        if skip("}", in: text) { return }
        while true {
            skipWhitespace(in: text)
            guard peek(in: text) == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try scanString(in: text)
            skipWhitespace(in: text)
            guard skip(":", in: text) else { throw unexpected() }
            skipWhitespace(in: text)
            try found(Member(key: key, value: try scanValue(in: text, depth: depth)))
            skipWhitespace(in: text)
            if skip("}", in: text) { return }
            guard skip(",", in: text) else { throw unexpected() }
        }
    }

    private mutating func scanArray(
        in text: Span<UInt8>, depth: Int, found: (Value) throws(JSONError) -> Void
    ) throws(JSONError) {
        position += 1
        skipWhitespace(in: text)
        if skip("]", in: text) { return }
        while true {
            skipWhitespace(in: text)
            try found(try scanValue(in: text, depth: depth))
            skipWhitespace(in: text)
            if skip("]", in: text) { return }
            guard skip(",", in: text) else { throw unexpected() }
        }
    }

    private mutating func scanValue(in text: Span<UInt8>, depth: Int) throws(JSONError) -> Value {
        let start = position
        switch peek(in: text) {
        case UInt8(ascii: "\""):
            return Value(kind: .string, range: try scanString(in: text))
        case UInt8(ascii: "{"):
            guard depth < JSONScanner.maximumDepth else { throw JSONError("the body is nested too deeply") }
            try scanObject(in: text, depth: depth + 1) { _ throws(JSONError) in }
            return Value(kind: .object, range: start..<position)
        case UInt8(ascii: "["):
            guard depth < JSONScanner.maximumDepth else { throw JSONError("the body is nested too deeply") }
            try scanArray(in: text, depth: depth + 1) { _ throws(JSONError) in }
            return Value(kind: .array, range: start..<position)
        case UInt8(ascii: "t"):
            try scanWord("true", in: text)
            return Value(kind: .boolean(true), range: start..<position)
        case UInt8(ascii: "f"):
            try scanWord("false", in: text)
            return Value(kind: .boolean(false), range: start..<position)
        case UInt8(ascii: "n"):
            try scanWord("null", in: text)
            return Value(kind: .null, range: start..<position)
        default:
            try scanNumber(in: text)
            return Value(kind: .number, range: start..<position)
        }
    }

    private mutating func scanWord(_ word: StaticString, in text: Span<UInt8>) throws(JSONError) {
        for byte in word.description.utf8 {
            guard peek(in: text) == byte else { throw unexpected() }
            position += 1
        }
    }

    private mutating func scanNumber(in text: Span<UInt8>) throws(JSONError) {
        _ = skip("-", in: text)
        if !skip("0", in: text) { try scanDigits(in: text) }
        if skip(".", in: text) { try scanDigits(in: text) }
        if skip("e", in: text) || skip("E", in: text) {
            if !skip("+", in: text) { _ = skip("-", in: text) }
            try scanDigits(in: text)
        }
    }

    private mutating func scanDigits(in text: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = peek(in: text), (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw unexpected() }
    }

    /// - Returns: the range between the quotes.
    private mutating func scanString(in text: Span<UInt8>) throws(JSONError) -> Range<Int> {
        position += 1
        let start = position
        while let byte = peek(in: text) {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<(position - 1)
            case UInt8(ascii: "\\"):
                position += 1
                guard let letter = peek(in: text), JSONText.escapes.contains(letter) else { throw unexpected() }
                position += 1
            case 0..<0x20: throw unexpected()
            default: position += 1
            }
        }
        throw JSONError("the body ends within a text")
    }

    private func peek(in text: Span<UInt8>) -> UInt8? { position < text.count ? text[position] : nil }

    private mutating func skip(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
        guard peek(in: text) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace(in text: Span<UInt8>) {
        while let byte = peek(in: text), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private func unexpected() -> JSONError { JSONError("the body is no JSON at byte \(position)") }
}
