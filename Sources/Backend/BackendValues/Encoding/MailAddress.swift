// SPDX-License-Identifier: Apache-2.0

package enum MailAddress {
    /// Whether SMTP can address `text`: one `@` with text on both sides, and nothing that could end the address.
    package static func isValid(_ text: String) -> Bool {
        // A mail server sees an @ even where a combining character follows it.
        let halves = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        return halves.count == 2 && halves.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { $0 > " " && $0 != "<" && $0 != ">" && $0 != "\u{7f}" }
    }
}
