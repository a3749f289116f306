// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskPorts
import LoginValues

/// The bytes of a code, or of a file's name, in printable form.
struct PrintableText {
    /// Nil when the bytes are not UTF-8, or contain control characters. Those would break the line or move a terminal's
    /// cursor, as the maker of a hostile code may want.
    let text: String?
    let base64: String

    /// The text, or `base64:` and its bytes.
    var line: String { text ?? "base64:" + base64 }

    init(_ bytes: [UInt8]) {
        base64 = Base64.text(bytes)
        text = String(validating: bytes, as: UTF8.self).flatMap { text in
            text.unicodeScalars.allSatisfy { PrintableText.isPrintable($0) } ? text : nil
        }
    }

    init(_ symbol: Symbol) { self.init(symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }) }

    init(_ text: String) { self.init(Array(text.utf8)) }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }
}
