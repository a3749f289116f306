// SPDX-License-Identifier: Apache-2.0

import Encoding

/// Text in a mail's header. RFC 2047.
package enum EncodedWords {
    /// The number of bytes in a word that fits into a line of 76 after `Subject: `.
    private static let longest = 39

    /// ASCII as it is, other text as words of base64, one word a line. No word splits a character.
    package static func text(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else { return text }
        var words = [""]
        for scalar in text.unicodeScalars {
            let next = words[words.count - 1] + String(scalar)
            if next.utf8.count > longest { words.append(String(scalar)) } else { words[words.count - 1] = next }
        }
        return words.map { "=?utf-8?B?\(Base64.text(Array($0.utf8)))?=" }.joined(separator: "\r\n ")
    }
}
