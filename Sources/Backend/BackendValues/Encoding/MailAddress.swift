// SPDX-License-Identifier: Apache-2.0

package enum MailAddress {
    /// True for what SMTP can address: one `@` with something on both sides and nothing that could end the address.
    package static func isValid(_ text: String) -> Bool {
        // To a mail server an @ is one whatever combines with it.
        let halves = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        return halves.count == 2 && halves.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { $0 > " " && $0 != "<" && $0 != ">" && $0 != "\u{7f}" }
    }
}
