// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// Reads hexadecimal digits of either case and writes lower case (milagro protocol, section 2).
enum Hex {
    /// The value of one digit; nil for any other byte. Without a table and without a branch on the digit's value,
    /// because shares and tokens are read here.
    static func value(of digit: UInt8) -> UInt8? {
        let character = Int32(digit)
        let folded = character | 0x20
        let decimal = inRange(character, 0x30, 0x39)
        let letter = inRange(folded, 0x61, 0x66)
        guard decimal | letter != 0 else { return nil }
        return UInt8(truncatingIfNeeded: (decimal & (character - 0x30)) | (letter & (folded - 0x57)))
    }

    /// The digit for 0...15.
    static func digit(_ value: UInt8) -> UInt8 {
        let number = Int32(value)
        // Above nine the sign of the difference adds the distance from behind `9` to `a`.
        return UInt8(truncatingIfNeeded: number + 0x30 + (((9 - number) >> 31) & 0x27))
    }

    static func text(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// All ones when `low <= number <= high`, else zero.
    private static func inRange(_ number: Int32, _ low: Int32, _ high: Int32) -> Int32 {
        ~((number - low) >> 31) & ~((high - number) >> 31)
    }
}

extension SecretBytes {
    /// - Parameter counts: the permitted number of bytes.
    /// - Returns: nil when `digits` is not an even number of hexadecimal digits within `counts`.
    convenience init?(hex digits: Span<UInt8>, counts: ClosedRange<Int>) {
        guard digits.count.isMultiple(of: 2), counts.contains(digits.count / 2) else { return nil }
        var isHex = true
        self.init(count: digits.count / 2) { bytes in
            for index in bytes.indices {
                guard let high = Hex.value(of: digits[index * 2]), let low = Hex.value(of: digits[index * 2 + 1]) else {
                    isHex = false
                    return
                }
                bytes[index] = high << 4 | low
            }
        }
        guard isHex else { return nil }
    }
}
