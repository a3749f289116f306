// SPDX-License-Identifier: Apache-2.0

// The record of who did what here, and what came of it: lines in files, each bound to the one before it by a hash. It
// must not know what the programs do: it is told texts, and keeps no PIN, code or token because it is told none.

/// Facts to be kept of one session: never a PIN, a code or a token.
public struct AuditEntry: Sendable, Hashable {
    /// Longer texts are cut, and end with an ellipsis then. In bytes of UTF-8.
    public static let longestText = 256

    /// The action, such as `login`.
    public let event: String
    /// The outcome of the action, such as `loggedIn`.
    public let outcome: String
    /// Where: a host, a door, an application.
    public let service: String?
    /// The person as the backend knows it, as far as the person said it; usually an e-mail address.
    public let who: String?
    public let detail: String?
    /// How often, from 1: of more than one these are the equal ones that came within a minute behind a line of its own.
    public let count: Int

    public init(event: String, outcome: String, service: String? = nil, who: String? = nil, detail: String? = nil) {
        self.init(event: event, outcome: outcome, service: service, who: who, detail: detail, count: 1)
    }

    init(event: String, outcome: String, service: String?, who: String?, detail: String?, count: Int) {
        self.count = count
        self.event = AuditEntry.cut(event)
        self.outcome = AuditEntry.cut(outcome)
        self.service = service.map(AuditEntry.cut)
        self.who = who.map(AuditEntry.cut)
        self.detail = detail.map(AuditEntry.cut)
    }

    /// As many of it in one line.
    func repeated(_ count: Int) -> AuditEntry {
        AuditEntry(event: event, outcome: outcome, service: service, who: who, detail: detail, count: count)
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
