// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import PostgreSQL
import Sealing

/// Wakes those who wait for entries, in every process, when the entries change.
final class EntryChanges: Sendable {
    private let key: SecretBytes
    private let subscriptions = Subscriptions<String>()

    /// - Parameter key: shared by the storage's processes. Without it every user of the server could find access
    ///   numbers, which are short, from the names in notifications.
    init(key: SecretBytes) { self.key = key }

    func name(_ table: String, _ key: some TableKey) -> String {
        let text = Hexadecimal.text(Digest.sha256(Array(table.utf8) + [0] + key.bytes))
        return Hexadecimal.text(Digest.hmacSHA256(text, key: self.key))
    }

    func stream(_ name: String) -> AsyncStream<Void> { subscriptions.stream(name) }

    func wake(_ name: String) { subscriptions.wake(name) }

    func handle(_ event: Database.Event) {
        switch event {
        case .notified(let name): subscriptions.wake(name)
        case .mayHaveMissed: subscriptions.wakeAll()
        }
    }
}
