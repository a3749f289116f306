// SPDX-License-Identifier: Apache-2.0

/// How many mails one address gets. A stranger can register any address, and mail must not become a weapon.
struct MailLimit: Sendable {
    static let mails = 10
    static let period = Duration.seconds(3600)

    private let sent: any VolatileTable<String, Int>

    init(in storage: any VolatileStorage) {
        sent = storage.table("mails to an address", bounds: TableBounds(capacity: 10_000))
    }

    /// Counts one more mail; false when the address has had enough within the hour that its first mail began.
    func admits(_ recipient: String, now: WallTime) async throws -> Bool {
        try await sent.change(UserID.normalized(recipient), now: now) { entry in
            guard (entry?.value ?? 0) < Self.mails else { return false }
            entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: entry?.expires ?? now + Self.period)
            return true
        }
    }
}
