// SPDX-License-Identifier: Apache-2.0

import Foundation

/// RFC 4648: with padding as MIRACL's clients write it, and the URL-safe form without padding of web tokens.
package enum Base64 {
    package static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil for anything but base64 with padding.
    package static func bytes(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }

    package static func urlText(_ bytes: [UInt8]) -> String {
        String(
            text(bytes).compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Nil for anything but URL-safe base64.
    package static func bytes(urlText: String) -> [UInt8]? {
        let text = String(urlText.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        return bytes(text + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }
}
