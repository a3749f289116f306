// SPDX-License-Identifier: Apache-2.0

/// Percent escapes (RFC 3986, section 2): `%` and two digits for a byte that may not stand for itself.
package enum PercentEncoding {
    /// The text with every byte of its UTF-8 escaped but the unreserved ones.
    ///
    /// - Parameter also: one more character that stays as it is.
    package static func text(_ text: String, keeping also: Unicode.Scalar? = nil) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || also.map({ byte == UInt8(ascii: $0) }) == true {
                encoded.append(byte)
            } else {
                encoded += [
                    UInt8(ascii: "%"), Hexadecimal.capitalDigit(byte >> 4), Hexadecimal.capitalDigit(byte & 15),
                ]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Letters, digits and `-._~` (section 2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Reads the byte at `index`, which moves behind it.
    ///
    /// - Returns: nil for a percent sign without two digits behind it.
    package static func byte(in text: Span<UInt8>, at index: inout Int) -> (value: UInt8, isEscaped: Bool)? {
        let first = text[index]
        guard first == UInt8(ascii: "%") else {
            index += 1
            return (first, false)
        }
        guard index + 2 < text.count, let high = Hexadecimal.value(of: text[index + 1]),
            let low = Hexadecimal.value(of: text[index + 2])
        else { return nil }
        index += 3
        return (high << 4 | low, true)
    }
}
