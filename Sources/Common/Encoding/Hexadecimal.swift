// SPDX-License-Identifier: Apache-2.0

/// Two digits a byte: either case is read, lower case is written.
///
/// Shares and tokens pass here, so that no table is read and no branch is taken by a digit's value.
package enum Hexadecimal {
    package static func text(_ bytes: some Sequence<UInt8>) -> String { text(bytes, digit) }

    /// The form for QR codes, which pack capital letters closely.
    package static func capitalText(_ bytes: some Sequence<UInt8>) -> String { text(bytes, capitalDigit) }

    /// - Returns: nil for an odd number of characters, and for one that is not a digit.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of one digit; nil for any other character.
    package static func value(of digit: UInt8) -> UInt8? {
        let character = Int32(digit)
        let folded = character | 0x20
        let decimal = ByteRange.mask(character, 0x30, 0x39)
        let letter = ByteRange.mask(folded, 0x61, 0x66)
        guard decimal | letter != 0 else { return nil }
        return UInt8(truncatingIfNeeded: (decimal & (character - 0x30)) | (letter & (folded - 0x57)))
    }

    /// The digit for 0...15.
    package static func digit(_ value: UInt8) -> UInt8 { digit(value, letters: 0x27) }

    /// As ``digit(_:)``, with capital letters.
    package static func capitalDigit(_ value: UInt8) -> UInt8 { digit(value, letters: 0x07) }

    /// - Parameter distance: from the character behind `9` to the one for ten.
    private static func digit(_ value: UInt8, letters distance: Int32) -> UInt8 {
        let number = Int32(value)
        // Above nine the sign of the difference adds the distance.
        return UInt8(truncatingIfNeeded: number + 0x30 + (((9 - number) >> 31) & distance))
    }

    private static func text(_ bytes: some Sequence<UInt8>, _ digit: (UInt8) -> UInt8) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// Comparisons without a branch.
enum ByteRange {
    /// All ones when `low <= number <= high`, else zero.
    static func mask(_ number: Int32, _ low: Int32, _ high: Int32) -> Int32 {
        ~((number - low) >> 31) & ~((high - number) >> 31)
    }
}
