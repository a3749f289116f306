// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL
import Synchronization

/// Entries that this process has read for pages that ask again and again, so that a page whose login has not gone on
/// costs the database nothing; and streams of their changes, for pages that wait.
///
/// An entry counts for ``lifetime``, on the connection alone that notifications came by when it was read, and until a
/// process says that it changes. Who reads says so before: a change that is heard of meanwhile is not written over by
/// what was read before it. So a notification that gets lost delays a page by that time, and nothing else depends on
/// it.
final class PolledEntries: Sendable {
    static let lifetime = Duration.seconds(5)
    /// In all tables together. When there are more all are forgotten: pages that come in too large a number ask the
    /// database, as they would without this.
    static let capacity = 4096
    /// Of an encoded value. A site may have said more of its session than that.
    static let longest = 1024
    /// Topics of other notifications do not begin with it.
    private static let mark = "-"

    typealias Name = [UInt8]

    private struct Entry {
        /// Of who reads or has read it.
        let reading: UInt64
        let connection: UInt64
        let read: WallTime
        /// Nil while it is read; within it nil when there was none.
        var content: (any Sendable)??
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var lastReading: UInt64 = 0
    }

    private let key: SecretBytes
    private let state = Mutex(State())
    private let changed = Subscriptions<Name>()

    /// - Parameter key: of the storage's processes. Access numbers are short: without it every user of the server could
    ///   find them from the names that the processes tell each other.
    init(key: SecretBytes) { self.key = key }

    func name(_ table: String, _ key: some TableKey) -> Name {
        Digest.hmacSHA256(Hexadecimal.text(Digest.sha256(Array(table.utf8) + [0] + key.bytes)), key: self.key)
    }

    /// Returns the text that tells the processes of a change.
    func text(_ name: Name) -> String { Self.mark + Hexadecimal.text(name) }

    /// - Returns: nil when nothing is remembered; within it nil when there was no entry.
    func entry<Value>(
        _ name: Name, of _: TableEntry<Value>.Type, _ connection: UInt64?, now: WallTime
    ) -> TableEntry<Value>?? {
        guard let known = state.withLock({ $0.entries[name] }), known.connection == connection, known.read <= now,
            now < known.read + Self.lifetime, let content = known.content
        else { return nil }
        guard let content else { return .some(nil) }
        guard let entry = content as? TableEntry<Value>, entry.expires > now else { return nil }
        return entry
    }

    /// The caller is going to read the entry.
    /// - Parameter connection: that notifications come by; nil: none, and then nothing is remembered.
    /// - Returns: the reading's number.
    func begin(_ name: Name, _ connection: UInt64?, now: WallTime) -> UInt64 {
        state.withLock { state in
            state.lastReading += 1
            guard let connection else { return state.lastReading }
            if state.entries.count >= Self.capacity { state.entries = [:] }
            state.entries[name] = Entry(reading: state.lastReading, connection: connection, read: now)
            return state.lastReading
        }
    }

    /// - Parameters:
    ///   - entry: as it was read.
    ///   - isKept: whether it is to be remembered.
    func end(_ reading: UInt64, at name: Name, with entry: (any Sendable)?, isKept: Bool) {
        state.withLock { state in
            // It may have changed meanwhile, or another caller reads it anew.
            guard state.entries[name]?.reading == reading else { return }
            if isKept { state.entries[name]?.content = .some(entry) } else { state.entries[name] = nil }
        }
    }

    func forget(_ name: Name) {
        state.withLock { $0.entries[name] = nil }
        changed.wake(name)
    }

    /// Yields something when the entry has changed, and every now and then.
    func changes(_ name: Name) -> AsyncStream<[UInt8]> { changed.stream(name) }

    /// - Returns: whether that was what the event was about, and nothing else.
    func forget(_ event: Database.Event) -> Bool {
        if case .mayHaveMissed = event { changed.wakeAll() }
        guard case .notified(let text) = event, text.hasPrefix(Self.mark) else { return false }
        if let name = Hexadecimal.bytes(String(text.dropFirst())) { forget(name) }
        return true
    }
}
