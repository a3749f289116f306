// SPDX-License-Identifier: Apache-2.0

// The audit log: lines in files, each bound to the previous one by a hash. This module does not know
// the programs: it receives texts, and no PIN, code or token is among them.

/// The facts about one session: never a PIN, a code or a token.
public struct AuditEntry: Sendable, Hashable {
    /// In bytes of UTF-8. Longer texts are cut and end with an ellipsis.
    public static let longestText = 256

    /// The action, such as `login`.
    public let event: String
    /// The outcome of the action, such as `loggedIn`.
    public let outcome: String
    /// The place: a host, a door, an application.
    public let service: String?
    /// The person as the backend knows them, as far as they named themselves; usually an e-mail address.
    public let who: String?
    public let detail: String?
    /// The number of equal entries in this line. Above 1 they came within a minute after the line of the first one.
    public internal(set) var count = 1

    public init(event: String, outcome: String, service: String? = nil, who: String? = nil, detail: String? = nil) {
        self.event = AuditEntry.cut(event)
        self.outcome = AuditEntry.cut(outcome)
        self.service = service.map(AuditEntry.cut)
        self.who = who.map(AuditEntry.cut)
        self.detail = detail.map(AuditEntry.cut)
    }

    /// The entry for this many equal ones.
    func repeated(_ count: Int) -> AuditEntry {
        var entry = self
        entry.count = count
        return entry
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
