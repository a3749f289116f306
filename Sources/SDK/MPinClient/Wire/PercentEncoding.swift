// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding for queries: everything except letters, digits and `-._~` becomes `%` and two digits for each byte
/// of UTF-8 (RFC 3986, section 2).
enum PercentEncoding {
    static func text(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%\(Hex.text([byte]).uppercased())"
            }
        }
        return encoded
    }

    /// Whether the byte is written unencoded.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
