// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// A request body: one JSON object, written straight into wiped bytes. An access code or a one-time token in it never
/// becomes a `String`.
struct JSONBody {
    enum Value {
        case text(String)
        /// UTF-8, escaped like any text.
        case secretText(SecretBytes)
        case accessCode(AccessCode)
        case hex([UInt8])
        case secretHex(SecretBytes)
        case number(Int)
        case boolean(Bool)
        case texts([String])
        /// A parsed JSON value, passed on unchanged.
        case json(SecretBytes)
    }

    typealias Member = (key: StaticString, value: Value)

    private var members: [Member]

    init(_ members: KeyValuePairs<StaticString, Value>) {
        self.members = members.map { ($0.key, $0.value) }
    }

    init(_ members: [Member]) {
        self.members = members
    }

    mutating func add(_ key: StaticString, _ value: Value) {
        members.append((key, value))
    }

    func encoded() -> SecretBytes {
        let capacity = members.reduce(2) { $0 + $1.key.utf8CodeUnitCount + 4 + JSONBody.capacity(for: $1.value) }
        return SecretBytes(capacity: capacity) { output in
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                output.append(member.key.description)
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
                JSONBody.append(member.value, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// An upper bound: a byte of text becomes six at most (`\u001f`), and two quotes are added.
    private static func capacity(for value: Value) -> Int {
        switch value {
        case .text(let text): text.utf8.count * 6 + 2
        case .secretText(let text): text.count * 6 + 2
        case .accessCode: AccessCode.lengths.upperBound + 2
        case .hex(let bytes): bytes.count * 2 + 2
        case .secretHex(let bytes): bytes.count * 2 + 2
        case .number, .boolean: 20
        case .texts(let texts): texts.reduce(2) { $0 + $1.utf8.count * 6 + 3 }
        case .json(let value): value.count
        }
    }

    private static func append(_ value: Value, to output: inout OutputSpan<UInt8>) {
        switch value {
        case .number(let number): output.append(String(number))
        case .boolean(let flag): output.append(flag ? "true" : "false")
        case .json(let value): value.withBytes { output.append($0) }
        case .texts(let texts):
            output.append(UInt8(ascii: "["))
            for (index, text) in texts.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(.text(text), to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .text, .secretText, .accessCode, .hex, .secretHex:
            output.append(UInt8(ascii: "\""))
            appendCharacters(of: value, to: &output)
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func appendCharacters(of value: Value, to output: inout OutputSpan<UInt8>) {
        switch value {
        case .text(let text):
            for byte in text.utf8 { appendEscaped(byte, to: &output) }
        case .secretText(let text):
            text.withBytes { bytes in
                for index in bytes.indices { appendEscaped(bytes[index], to: &output) }
            }
        case .accessCode(let code): code.withCharacters { output.append($0) }
        case .hex(let bytes): output.appendHex(bytes.span)
        case .secretHex(let bytes): bytes.withBytes { output.appendHex($0) }
        case .number, .boolean, .texts, .json: break
        }
    }

    private static func appendEscaped(_ byte: UInt8, to output: inout OutputSpan<UInt8>) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        case 0..<0x20:
            output.append("\\u00")
            output.append(Hexadecimal.digit(byte >> 4))
            output.append(Hexadecimal.digit(byte & 15))
        default: output.append(byte)
        }
    }
}
