// SPDX-License-Identifier: Apache-2.0

import LoginValues

// The grammar of the code: `NAME:VALUE;`, again and again.
extension WirelessCode {
    /// The values of the fields by their names, without backslashes.
    static func fields(of bytes: Span<UInt8>) throws(WirelessCodeError) -> [String: SecretBytes] {
        var fields: [String: SecretBytes] = [:]
        var index = prefix.count
        while index < bytes.count, bytes[index] != UInt8(ascii: ";") {
            let key = try name(from: &index, in: bytes)
            let start = index
            while index < bytes.count, bytes[index] != UInt8(ascii: ";") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            // A field that is cut off could have another value.
            guard !key.isEmpty, index < bytes.count, fields[key] == nil else { throw .malformed }
            fields[key] = try value(bytes.extracting(start..<index))
            index += 1
        }
        guard !fields.isEmpty, index == bytes.count || index == bytes.count - 1 else { throw .malformed }
        return fields
    }

    /// The name of a field; the index moves behind its colon.
    private static func name(from index: inout Int, in bytes: Span<UInt8>) throws(WirelessCodeError) -> String {
        var name = ""
        while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
            let letter = Unicode.Scalar(bytes[index])
            guard letter.isASCII, letter.properties.isUppercase || name == "PH" && letter == "2", name.count < 3 else {
                throw .malformed
            }
            name.unicodeScalars.append(letter)
            index += 1
        }
        index += 1
        return name
    }

    private static func value(_ written: Span<UInt8>) throws(WirelessCodeError) -> SecretBytes {
        let quote = UInt8(ascii: "\"")
        let isQuoted =
            written.count >= 2 && written[0] == quote && written[written.count - 1] == quote
            && written[written.count - 2] != UInt8(ascii: "\\")
        return try unescaped(isQuoted ? written.extracting(1..<written.count - 1) : written)
    }

    private static func unescaped(_ written: Span<UInt8>) throws(WirelessCodeError) -> SecretBytes {
        var length = 0
        let whole = try SecretBytes(count: written.count) { target throws(WirelessCodeError) in
            var index = 0
            while index < written.count {
                if written[index] == UInt8(ascii: "\\") {
                    index += 1
                    guard index < written.count, escaped.contains(written[index]) else { throw .malformed }
                }
                target[length] = written[index]
                length += 1
                index += 1
            }
        }
        return whole.withBytes { SecretBytes(copying: $0.extracting(0..<length)) }
    }

    private static let escaped = Array("\\;,:\"".utf8)

    /// A value that is not a secret, in upper case; empty when there is none.
    static func word(_ value: SecretBytes?) throws(WirelessCodeError) -> String {
        guard let value else { return "" }
        guard value.count <= 16 else { throw .malformed }
        let bytes = value.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        guard let word = String(validating: bytes, as: Unicode.ASCII.self) else { throw .malformed }
        return word.uppercased()
    }
}
