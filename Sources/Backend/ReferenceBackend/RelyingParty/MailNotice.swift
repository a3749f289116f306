// SPDX-License-Identifier: Apache-2.0

/// A notice to the owner of a user id.
struct MailNotice: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case newDevice, login, wrongPINs }

    let kind: Kind
    let subject: String
    let sentences: [String]
    /// The link with which the owner can act.
    var link: Link?

    struct Link: Codable, Sendable {
        let url: String
        let words: String
    }

    var text: String {
        (sentences + (link.map { ["\($0.words):\n\n\($0.url)"] } ?? [])).joined(separator: "\n")
    }

    /// The paragraphs.
    var html: String {
        let lines =
            sentences.map { "<p>\(HTMLText.escaped($0))</p>" }
            + (link.map { [#"<p><a href="\#(HTMLText.escaped($0.url))">\#(HTMLText.escaped($0.words))</a></p>"#] } ?? [])
        return lines.joined(separator: "\n")
    }
}
