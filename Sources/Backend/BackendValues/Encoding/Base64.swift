// SPDX-License-Identifier: Apache-2.0

import Foundation

/// RFC 4648: base64 with padding, as MIRACL's clients write it, and the URL-safe form without padding of web tokens,
/// which Foundation has only since Swift 6.3.
package enum Base64 {
    package static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Nil for anything but base64 with padding.
    package static func bytes(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }

    package static func urlText(_ bytes: [UInt8]) -> String {
        let digits = text(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: replacing("+/", with: "-_", in: digits), as: UTF8.self)
    }

    /// Nil for anything but URL-safe base64.
    package static func bytes(urlText: String) -> [UInt8]? {
        var digits = replacing("-_", with: "+/", in: urlText.utf8)
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)).map { [UInt8]($0) }
    }

    private static func replacing(_ old: String, with new: String, in digits: some Sequence<UInt8>) -> [UInt8] {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        return digits.map { $0 == old[0] ? new[0] : $0 == old[1] ? new[1] : $0 }
    }
}
