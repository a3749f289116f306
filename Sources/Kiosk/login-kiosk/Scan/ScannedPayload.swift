// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskPorts
import LoginValues

/// The bytes of a code in printable form.
struct ScannedPayload {
    /// Nil when the bytes are no UTF-8, or contain control characters. Those would break the line or move a terminal's
    /// cursor, as the maker of a hostile code may want.
    let text: String?
    let base64: String

    init(_ symbol: Symbol) {
        let bytes = symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        base64 = Base64.text(bytes)
        text = String(validating: bytes, as: UTF8.self).flatMap { text in
            text.unicodeScalars.allSatisfy { ScannedPayload.isPrintable($0) } ? text : nil
        }
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }
}
