// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON value (RFC 8259) from a stranger: UTF-8, with bounded nesting. Foundation's decoder takes several
/// times as long, a good part of the time of a request.
package struct JSONReader {
    private static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    private struct Malformed: Error {}

    /// Nil when `bytes` are no JSON text.
    package static func value(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes)
        // A reader may skip a byte order mark (RFC 8259, section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        guard let value = try? reader.value() else { return nil }
        reader.skipSpace()
        return reader.position == bytes.count ? value : nil
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func value() throws(Malformed) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// - Returns: whether the next byte after white space was `byte`.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Malformed) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw Malformed() }
        position += word.utf8.count
        return value
    }

    private mutating func enter() throws(Malformed) {
        position += 1
        depth += 1
        guard depth <= Self.maximumDepth else { throw Malformed() }
    }

    /// Reads an object. The last of several members with the same name counts.
    private mutating func object() throws(Malformed) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if take("}") { return members }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw Malformed() }
            let name = try string()
            guard take(":") else { throw Malformed() }
            members[name] = try value()
        } while take(",")
        guard take("}") else { throw Malformed() }
        return members
    }

    private mutating func array() throws(Malformed) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if take("]") { return elements }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw Malformed() }
        return elements
    }

    private mutating func string() throws(Malformed) -> String {
        position += 1
        let start = position
        // Most texts contain no escapes.
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        var content = Array(bytes[start..<position])
        while let byte = next, byte >= 0x20 {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else { throw Malformed() }
                return text
            case UInt8(ascii: "\\"): content += try escaped()
            default: content.append(byte)
            }
        }
        throw Malformed()
    }

    private mutating func escaped() throws(Malformed) -> [UInt8] {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw Malformed()
        }
    }

    /// Reads an escaped character. A character beyond the first 65536 code points is written as a surrogate pair.
    private mutating func unicodeEscape() throws(Malformed) -> [UInt8] {
        var code = try fourDigits()
        if code & 0xFC00 == 0xD800 {
            guard bytes[position...].starts(with: "\\u".utf8) else { throw Malformed() }
            position += 2
            let low = try fourDigits()
            guard low & 0xFC00 == 0xDC00 else { throw Malformed() }
            code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
        }
        guard let scalar = Unicode.Scalar(code) else { throw Malformed() }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func fourDigits() throws(Malformed) -> UInt32 {
        guard position + 4 <= bytes.count,
            let digits = Hexadecimal.bytes(String(decoding: bytes[position..<position + 4], as: UTF8.self))
        else { throw Malformed() }
        position += 4
        return UInt32(digits[0]) << 8 | UInt32(digits[1])
    }

    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        let isWhole = next != UInt8(ascii: ".") && next != UInt8(ascii: "e") && next != UInt8(ascii: "E")
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { throw Malformed() }
        return Int64(exactly: double).map { .integer($0) } ?? .number(double)
    }

    private mutating func digits() throws(Malformed) {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw Malformed() }
    }
}
