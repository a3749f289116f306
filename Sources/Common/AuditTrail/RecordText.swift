// SPDX-License-Identifier: Apache-2.0

import Encoding

/// JSON strings (RFC 8259) in one spelling. Characters that control a terminal, or that reorder or hide text on it, are
/// written as `\uXXXX`. Of all others only the quote and the backslash are escaped.
enum RecordText {
    /// Fixed, and not asked of a table of Unicode: a line must read the same by every release.
    private static func isEscaped(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The same without quotes around it: one line that can be shown.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": escaped.append(contentsOf: ["\\", scalar])
            case _ where isEscaped(scalar.value):
                let digits = Hexadecimal.text([UInt8(scalar.value >> 8), UInt8(scalar.value & 0xFF)])
                escaped.append(contentsOf: ("\\u" + digits).unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
