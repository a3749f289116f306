// SPDX-License-Identifier: Apache-2.0

import BackendValues

/// A notice to the owner of a user id.
package struct MailNotice: Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case newDevice, login, wrongPINs }

    package let kind: Kind
    package let subject: String
    package let sentences: [String]
    /// The link with which the owner can act.
    package var link: Link?

    package struct Link: Codable, Sendable {
        package let url: String
        let words: String
    }

    var text: String {
        (sentences + (link.map { ["\($0.words):\n\n\($0.url)"] } ?? [])).joined(separator: "\n")
    }

    /// The paragraphs.
    package var html: String {
        let lines =
            sentences.map { "<p>\(HTMLText.escaped($0))</p>" }
            + (link.map { [#"<p><a href="\#(HTMLText.escaped($0.url))">\#(HTMLText.escaped($0.words))</a></p>"#] } ?? [])
        return lines.joined(separator: "\n")
    }
}
