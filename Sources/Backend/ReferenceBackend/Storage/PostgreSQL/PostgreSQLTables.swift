// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import PostgreSQL
import Synchronization

/// Volatile tables in PostgreSQL: the rows of one UNLOGGED table, by digests of their keys. Signals go by NOTIFY.
final class PostgreSQLTables: VolatileStorage {
    /// Connected while this lives.
    let database: Database
    private let waiters: Waiters
    private let polled: PolledEntries
    private let turns: KeyedTurns
    private let sweeper = Sweeper()
    private let fullTables = FullTables()
    private let credentials: AppCredentials?

    /// - Parameter waiters: who is told what the database is notified of.
    /// - Parameter credentials: of the state directory, which every process has, and the database has not; nil for
    ///   those that make no page.
    init(database: Database, waiters: Waiters, polled: PolledEntries, credentials: AppCredentials?) {
        self.database = database
        self.credentials = credentials
        self.waiters = waiters
        self.polled = polled
        turns = KeyedTurns(limit: database.limit)
    }

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        var bounds = bounds
        bounds.capacity *= bounds.growth
        return PostgreSQLTable<Key, Value>(
            database: database, name: name, bounds: bounds, turns: turns, sweeper: sweeper, fullTables: fullTables,
            polled: bounds.polling == .none ? nil : polled)
    }

    func refusal(by name: String, for owner: EntryOwner, now: WallTime) -> Refusal? {
        fullTables.refusal(by: name, now: now)
    }

    func key(for name: String) throws(BackendError) -> SecretBytes {
        guard let credentials else { return SecretBytes(try RandomBytes.make(32)) }
        return credentials.key(for: name)
    }

    nonisolated(nonsending) func signal(_ topic: String, saying message: [UInt8]) async throws(StorageError) {
        let name = Waiters.name(of: topic)
        // Those of this process need no server for it, and hear of it a second time.
        waiters.wake(name, message)
        // What it is about is written already. Who waits at another process looks every now and then.
        _ = try? await database.run(database.notification(waiters.text(name, message)))
    }

    func signalling(_ topic: String, saying message: [UInt8]) -> (any VolatileStep)? {
        let (waiters, name) = (waiters, Waiters.name(of: topic))
        return PostgreSQLStep(database.notification(waiters.text(name, message))) { waiters.wake(name, message) }
    }

    nonisolated(nonsending) func attempt(_ steps: [(any VolatileStep)?]) async throws(StorageError) -> Bool {
        guard try await database.attempt([], steps) != nil else { return false }
        let insertion = steps.lazy.compactMap { ($0 as? PostgreSQLStep)?.insertion }.first
        if let insertion { await sweeper.sweepIfDue(database, now: insertion) }
        return true
    }

    func signals(_ topic: String) -> AsyncStream<[UInt8]> { waiters.signals(Waiters.name(of: topic)) }
}

/// Those of this process who wait for a signal, by its name on the server.
final class Waiters: Sendable {
    /// A notification has at most 7,999 bytes.
    private static let longest = 4096

    private let key: SecretBytes
    private let subscriptions = Subscriptions<String>()

    /// - Parameter key: of the storage's processes.
    init(key: SecretBytes) { self.key = key }

    /// A topic may hold a secret.
    static func name(of topic: String) -> String { Hexadecimal.text(Digest.sha256(Array(topic.utf8))) }

    /// Returns the text that the server is told: a name, and the message under this storage's key. Without the key,
    /// every user of the server could forge and read the message. A message that is too long for a notification stays
    /// out.
    func text(_ name: String, _ message: [UInt8]) -> String {
        guard !message.isEmpty, message.count < Self.longest,
            let box = try? SealedBox.seal(message, key: key, context: name)
        else { return name }
        return name + "." + Base64.urlText(box)
    }

    private func message(_ text: some StringProtocol, to name: String) -> [UInt8] {
        let box = Base64.bytes(urlText: String(text))
        return box.flatMap { try? SealedBox.open($0, key: key, context: name) } ?? []
    }

    func handle(_ event: Database.Event) {
        switch event {
        case .notified(let text):
            let parts = text.split(separator: ".", maxSplits: 1)
            guard let name = parts.first.map(String.init), subscriptions.contains(name) else { return }
            wake(name, parts.count == 2 ? message(parts[1], to: name) : [])
        case .mayHaveMissed: subscriptions.wakeAll()
        }
    }

    func wake(_ name: String, _ message: [UInt8]) { subscriptions.wake(name, message) }

    func signals(_ name: String) -> AsyncStream<[UInt8]> { subscriptions.stream(name) }
}

/// Tables that had no room for a person when one was here last. To look would cost a login one round trip more.
final class FullTables: Sendable {
    /// After that it is tried again.
    private static let memory = Duration.seconds(5)

    private let ends = Mutex<[String: WallTime]>([:])

    func note(_ name: String, until end: WallTime?, now: WallTime) {
        let latest = now + Self.memory
        ends.withLock { $0[name] = min(end ?? latest, latest) }
    }

    func refusal(by name: String, now: WallTime) -> Refusal? {
        // A clock that was set back must not turn seconds into hours.
        guard let end = ends.withLock({ $0[name] }), end > now, end <= now + Self.memory else { return nil }
        return .full(until: end, now)
    }
}

/// When this process clears away what has expired. Any process may, at any time.
final class Sweeper: Sendable {
    private static let period = Duration.seconds(10)
    private static let sweep = Statement("SELECT sweep($1)")

    private let next = Mutex(WallTime(milliseconds: .min))

    nonisolated(nonsending) func sweepIfDue(_ database: Database, now: WallTime) async {
        let isDue = next.withLock { next in
            guard next <= now || next > now + Self.period else { return false }
            next = now + Self.period
            return true
        }
        // What is left lies there until another time, and is never seen. With much of it that time is the next one.
        guard isDue, let answer = try? await database.run(Call(Self.sweep, .time(now))) else { return }
        if (try? answer.boolean(0, 0)) == true { next.withLock { $0 = now } }
    }
}
