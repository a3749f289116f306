// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskPorts
import LoginValues

extension EmailAddress {
    /// Reads the address in a QR code: as plain text, or as a `mailto:` link (RFC 6068) with one recipient.
    init?(_ symbol: Symbol) {
        guard symbol.parts == 1, symbol.payload.count <= 2 * EmailAddress.maximumLength else { return nil }
        var text = symbol.payload.withBytes { bytes in
            var text = ""
            // One scalar a byte: bytes beyond ASCII stay visible, so that they make no address.
            for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
            return text
        }
        let scheme = "mailto:"
        if text.lowercased().hasPrefix(scheme) {
            let link = text.dropFirst(scheme.count).prefix { $0 != "?" }
            guard let address = EmailAddress.decodingPercents(link) else { return nil }
            text = address
        }
        self.init(text)
    }

    /// - Returns: nil when a percent sign is not followed by two hexadecimal digits.
    private static func decodingPercents(_ text: Substring) -> String? {
        // Each scalar stands for a byte.
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        var decoded = ""
        var index = 0
        while index < bytes.count {
            guard let byte = PercentEncoding.byte(in: bytes.span, at: &index)?.value else { return nil }
            decoded.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return decoded
    }
}
