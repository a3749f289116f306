// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskPorts
import LoginValues

extension EmailAddress {
    /// Reads the address in a QR code: as plain text, as a `mailto:` link (RFC 6068), in a mail (`MATMSG:`), or of a
    /// contact (`MECARD:`, or a vCard, RFC 6350). Where it gives several addresses nobody can tell which one is meant.
    init?(_ symbol: Symbol) {
        guard symbol.parts == 1 else { return nil }
        let bytes = symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        guard let address = EmailAddress.address(in: bytes[...]) else { return nil }
        self.init(address)
    }

    private static func address(in bytes: ArraySlice<UInt8>) -> String? {
        func rest(after scheme: String) -> ArraySlice<UInt8>? {
            text(bytes.prefix(scheme.utf8.count)).lowercased() == scheme ? bytes.dropFirst(scheme.utf8.count) : nil
        }
        if let link = rest(after: "mailto:") {
            return decodingPercents(link.prefix { $0 != UInt8(ascii: "?") })
        }
        if let mail = rest(after: "matmsg:") { return only(values(of: "to", in: mail)) }
        if let contact = rest(after: "mecard:") { return only(values(of: "email", in: contact)) }
        if let contact = rest(after: "begin:vcard") { return only(addresses(inCard: contact)) }
        return text(bytes)
    }

    private static func only(_ addresses: [String]) -> String? {
        Set(addresses.compactMap { EmailAddress($0) }).count == 1 ? addresses.first { EmailAddress($0) != nil } : nil
    }

    /// One scalar a byte: bytes beyond ASCII stay visible, so that they make no address.
    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// The values of all fields of that name, of `NAME:value;NAME:value;;`.
    private static func values(of name: String, in bytes: ArraySlice<UInt8>) -> [String] {
        split(bytes, at: UInt8(ascii: ";")).compactMap { field in
            guard let colon = field.firstIndex(of: UInt8(ascii: ":")),
                text(field[..<colon]).lowercased() == name
            else { return nil }
            return text(withoutEscapes(field[(colon + 1)...]))
        }
    }

    /// The values of all lines `EMAIL;PARAMETER=...:value`, where a group may stand before the name.
    private static func addresses(inCard bytes: ArraySlice<UInt8>) -> [String] {
        var lines: [ArraySlice<UInt8>] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let whole = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            // A line that begins with a blank continues the one before.
            if let first = whole.first, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(first),
                let last = lines.popLast()
            {
                lines.append(last + whole.dropFirst())
            } else {
                lines.append(whole)
            }
        }
        return lines.compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let property = line[..<colon].prefix { $0 != UInt8(ascii: ";") }
            let name = property.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? []
            guard text(name).lowercased() == "email" else { return nil }
            return text(withoutEscapes(line[(colon + 1)...]))
        }
    }

    /// Splits where the separator stands without a backslash before it.
    private static func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var isEscaped = false
        return bytes.split { byte in
            defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
            return byte == separator && !isEscaped
        }
    }

    private static func withoutEscapes(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var isEscaped = false
        return bytes.filter { byte in
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return !isEscaped
        }
    }

    /// - Returns: nil when a percent sign is not followed by two hexadecimal digits.
    private static func decodingPercents(_ text: ArraySlice<UInt8>) -> String? {
        let bytes = Array(text)
        var decoded = ""
        var index = 0
        while index < bytes.count {
            guard let byte = PercentEncoding.byte(in: bytes.span, at: &index)?.value else { return nil }
            decoded.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return decoded
    }
}
