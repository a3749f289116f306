// SPDX-License-Identifier: Apache-2.0

/// Hexadecimal digits, the form of every binary value on the wire. It writes lower case and reads either case.
package enum Hexadecimal {
    package static func text(_ bytes: some Sequence<UInt8>) -> String { text(Array(bytes)) }

    package static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The bytes of `text`; nil when a character is no hexadecimal digit or the number of digits is odd.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? { bytes(ofDigits: Array(text.utf8)) }

    package static func isDigit(_ byte: UInt8) -> Bool { value(byte) != nil }

    private static func bytes(ofDigits digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[position]), let low = value(digits[position + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
