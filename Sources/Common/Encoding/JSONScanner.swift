// SPDX-License-Identifier: Apache-2.0

/// Walks over one JSON text (RFC 8259) and finds where its values begin and end. It copies nothing.
///
/// Stricter than most parsers, because attacks exploit texts that two parsers understand differently. Trailing text and
/// invalid UTF-8 are refused, and nesting is bounded. A byte order mark before the text is passed over, as RFC 8259
/// allows.
package struct JSONScanner {
    /// Bounds of a text that is walked over.
    package struct Bounds: Sendable {
        /// In bytes.
        let length: Int
        /// The nesting depth of objects and lists.
        let depth: Int
        /// The number of members of the outermost object.
        let members: Int

        package init(length: Int = .max, depth: Int, members: Int = .max) {
            self.length = length
            self.depth = depth
            self.members = members
        }
    }

    package enum Kind {
        case string, number, object, array, null
        case boolean(Bool)
    }

    package struct Value {
        package let kind: Kind
        /// Of a string: without the quotes. Of all others: the whole value.
        package let range: Range<Int>
    }

    package struct Member {
        /// Without the quotes, escapes not yet resolved.
        package let key: Range<Int>
        package let value: Value
    }

    private let maximumDepth: Int
    private var position = 0
    /// The nesting depth of the value at the position.
    private var depth = 0

    private init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// The value that `text` is; of members with the same name the last one applies.
    static func tree(of text: Span<UInt8>, maximumDepth: Int) throws(JSONError) -> JSONValue {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        try scanner.begin(text)
        let value = try scanner.scanTree(in: text)
        try scanner.end(text)
        return value
    }

    /// The members of the object that `text` is; a text of white space alone is the empty object.
    package static func members(of text: Span<UInt8>, within bounds: Bounds) throws(JSONError) -> [Member] {
        guard text.count <= bounds.length else { throw JSONError("the body is too long") }
        var scanner = JSONScanner(maximumDepth: bounds.depth)
        try scanner.begin(text)
        guard scanner.position < text.count else { return [] }
        guard text[scanner.position] == UInt8(ascii: "{") else { throw JSONError("the body is not a JSON object") }
        var members: [Member] = []
        try scanner.scanObject(in: text) { scanner, key throws(JSONError) in
            guard members.count < bounds.members else { throw JSONError("the object has too many members") }
            members.append(Member(key: key, value: try scanner.scanValue(in: text)))
        }
        try scanner.end(text)
        return members
    }

    /// The values of the list that `text`, a part of a text that was walked over, is; a list with more of them is
    /// refused.
    package static func elements(of text: Span<UInt8>, atMost maximum: Int) throws(JSONError) -> [Value] {
        var scanner = JSONScanner(maximumDepth: .max)
        var values: [Value] = []
        try scanner.scanArray(in: text) { scanner throws(JSONError) in
            guard values.count < maximum else { throw JSONError("the list has too many elements") }
            values.append(try scanner.scanValue(in: text))
        }
        return values
    }

    private mutating func begin(_ text: Span<UInt8>) throws(JSONError) {
        guard (try? UTF8Span(validating: text)) != nil else { throw JSONError("the body is not UTF-8") }
        if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { position = 3 }
        skipWhitespace(in: text)
    }

    private mutating func end(_ text: Span<UInt8>) throws(JSONError) {
        skipWhitespace(in: text)
        guard position == text.count else { throw unexpected() }
    }

    /// - Parameter member: goes over the value of a member.
    private mutating func scanObject(
        in text: Span<UInt8>, _ member: (inout JSONScanner, _ key: Range<Int>) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter()
        defer { depth -= 1 }
        skipWhitespace(in: text)
        if skip("}", in: text) { return }
        while true {
            skipWhitespace(in: text)
            guard peek(in: text) == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try scanString(in: text)
            skipWhitespace(in: text)
            guard skip(":", in: text) else { throw unexpected() }
            skipWhitespace(in: text)
            try member(&self, key)
            skipWhitespace(in: text)
            if skip("}", in: text) { return }
            guard skip(",", in: text) else { throw unexpected() }
        }
    }

    /// - Parameter element: goes over an element.
    private mutating func scanArray(
        in text: Span<UInt8>, _ element: (inout JSONScanner) throws(JSONError) -> Void
    ) throws(JSONError) {
        try enter()
        defer { depth -= 1 }
        skipWhitespace(in: text)
        if skip("]", in: text) { return }
        while true {
            skipWhitespace(in: text)
            try element(&self)
            skipWhitespace(in: text)
            if skip("]", in: text) { return }
            guard skip(",", in: text) else { throw unexpected() }
        }
    }

    private mutating func enter() throws(JSONError) {
        guard depth < maximumDepth else { throw JSONError("the body is nested too deeply") }
        position += 1
        depth += 1
    }

    private mutating func scanTree(in text: Span<UInt8>) throws(JSONError) -> JSONValue {
        switch peek(in: text) {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try scanObject(in: text) { scanner, key throws(JSONError) in
                members[try JSONScanner.string(in: text, key)] = try scanner.scanTree(in: text)
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try scanArray(in: text) { scanner throws(JSONError) in elements.append(try scanner.scanTree(in: text)) }
            return .array(elements)
        default:
            let value = try scanValue(in: text)
            switch value.kind {
            case .string: return .string(try JSONScanner.string(in: text, value.range))
            case .boolean(let flag): return .boolean(flag)
            case .null: return .null
            case .number, .object, .array: return try JSONScanner.number(in: text, value.range)
            }
        }
    }

    private static func string(in text: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> String {
        guard let string = JSONText.decode(text.extracting(range)) else {
            throw JSONError("a text has a malformed escape")
        }
        return string
    }

    private static func number(in text: Span<UInt8>, _ range: Range<Int>) throws(JSONError) -> JSONValue {
        let characters = String(decoding: range.map { text[$0] }, as: UTF8.self)
        if let integer = Int64(characters) { return .integer(integer) }
        guard let double = Double(characters), double.isFinite else { throw JSONError("a number is too large") }
        return Int64(exactly: double).map { .integer($0) } ?? .number(double)
    }

    private mutating func scanValue(in text: Span<UInt8>) throws(JSONError) -> Value {
        let start = position
        switch peek(in: text) {
        case UInt8(ascii: "\""):
            return Value(kind: .string, range: try scanString(in: text))
        case UInt8(ascii: "{"):
            try scanObject(in: text) { scanner, _ throws(JSONError) in _ = try scanner.scanValue(in: text) }
            return Value(kind: .object, range: start..<position)
        case UInt8(ascii: "["):
            try scanArray(in: text) { scanner throws(JSONError) in _ = try scanner.scanValue(in: text) }
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

    private func unexpected() -> JSONError { JSONError("the body is not JSON at byte \(position)") }
}
