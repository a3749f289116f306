// SPDX-License-Identifier: Apache-2.0

/// Any JSON value. Requests come from strangers, so a handler asks for the shape it wants and refuses any other.
package enum JSONValue: Hashable, Codable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    private static let maximumDepth = 64

    /// Reads one value (RFC 8259); nil when `text` is anything else. Foundation's decoder takes several times as long
    /// for a body of the protocol, which is a good part of a request.
    package init?(reading text: [UInt8]) {
        guard let value = try? JSONScanner.tree(of: text.span, maximumDepth: Self.maximumDepth) else { return nil }
        self = value
    }

    /// The text that the value is; nil for any other.
    package var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The whole number that the value is; nil for any other.
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSONValue {
    /// The value as JSON text, members sorted by name.
    package var text: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .boolean(let value): text += (value ? "true" : "false").utf8
        case .integer(let value): text += String(value).utf8
        // It was read from JSON, so it is finite.
        case .number(let value): text += String(value).utf8
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            // Most texts need no escapes. Safe: the bytes are lent for the call.
            guard unsafe bytes.contains(where: isEscaped) else { return unsafe text.append(contentsOf: bytes) }
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                if isEscaped(byte) { text += escaped(byte) } else { text.append(byte) }
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case 0x0A: Array("\\n".utf8)
        case 0x0D: Array("\\r".utf8)
        case 0x09: Array("\\t".utf8)
        case 0..<0x20: Array("\\u00\(Hexadecimal.text([byte]))".utf8)
        default: [UInt8(ascii: "\\"), byte]
        }
    }
}
