// SPDX-License-Identifier: Apache-2.0

// The record of who did what here, and what came of it: lines in files, each bound to the one before it by a hash. It
// must not know what the programs do: it is told texts, and keeps no PIN, code or token because it is told none.

/// What is to be kept of one session: never a PIN, a code or a token.
public struct AuditEntry: Sendable, Hashable {
    /// Longer texts are cut, and end with an ellipsis then. In bytes of UTF-8.
    public static let longestText = 256

    /// What was done, such as `login`.
    public let event: String
    /// What came of it, such as `loggedIn`.
    public let outcome: String
    /// Where: a host, a door, an application.
    public let service: String?
    /// The person as the backend knows it, as far as the person said it; usually an e-mail address.
    public let who: String?
    public let detail: String?

    public init(event: String, outcome: String, service: String? = nil, who: String? = nil, detail: String? = nil) {
        self.event = AuditEntry.cut(event)
        self.outcome = AuditEntry.cut(outcome)
        self.service = service.map(AuditEntry.cut)
        self.who = who.map(AuditEntry.cut)
        self.detail = detail.map(AuditEntry.cut)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        let mark = "…"
        var short = String.UnicodeScalarView()
        var length = mark.utf8.count
        for scalar in text.unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= longestText else { break }
            short.append(scalar)
        }
        return String(short) + mark
    }
}
