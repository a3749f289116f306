// SPDX-License-Identifier: Apache-2.0

extension Array<UInt8> {
    /// Reads pairs of lower-case hexadecimal digits; nil for anything else.
    init?(hexadecimal text: String) {
        func digit(_ character: UInt8) -> UInt8? {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = digit(characters[index]), let low = digit(characters[index + 1]) else { return nil }
            append(high << 4 | low)
        }
    }

    var hexadecimal: String {
        let digits = Array<Character>("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
