// SPDX-License-Identifier: Apache-2.0

/// How many mails one address gets. Anybody can register anybody's address, and mail must not become a weapon.
struct MailLimit: Sendable {
    static let mails = 10
    static let period = Duration.seconds(3600)

    private var sent = ExpiringTable<String, Int>(capacity: 10_000)

    /// Counts one more mail; false when the address has had enough within the hour that its first mail began.
    mutating func admits(_ recipient: String, now: WallTime) -> Bool {
        let recipient = UserID.normalized(recipient)
        guard let count = sent.value(for: recipient, now: now) else {
            sent.insert(1, for: recipient, expires: now + Self.period, now: now)
            return true
        }
        guard count < Self.mails else { return false }
        sent.update(recipient, now: now) { $0 += 1 }
        return true
    }
}
