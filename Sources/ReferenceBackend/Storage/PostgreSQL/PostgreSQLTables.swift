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
    private let turns: KeyedTurns
    private let sweeper = Sweeper()
    private let credentials: AppCredentials?

    /// - Parameter waiters: who is told what the database is notified of.
    /// - Parameter credentials: of the state directory, which every process has, and the database has not; nil for
    ///   those that make no page.
    init(database: Database, waiters: Waiters, credentials: AppCredentials?) {
        self.database = database
        self.credentials = credentials
        self.waiters = waiters
        turns = KeyedTurns(limit: database.limit)
    }

    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value> {
        PostgreSQLTable<Key, Value>(database: database, name: name, bounds: bounds, turns: turns, sweeper: sweeper)
    }

    func key(for name: String) throws(BackendError) -> SecretBytes {
        guard let credentials else { return SecretBytes(try RandomBytes.make(32)) }
        return credentials.key(for: name)
    }

    nonisolated(nonsending) func signal(_ topic: String) async throws(StorageError) {
        // Those of this process need no server for it, and hear of it a second time.
        waiters.wake(Waiters.name(of: topic))
        // What it is about is written already. Who waits at another process looks every now and then.
        _ = try? await database.run(database.notification(Waiters.name(of: topic)))
    }

    func signals(_ topic: String) -> AsyncStream<Void> { waiters.signals(Waiters.name(of: topic)) }
}

/// Those of this process who wait for a signal, by its name on the server.
final class Waiters: Sendable {
    private struct State {
        var nextNumber: UInt64 = 0
        var continuations: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    }

    private let state = Mutex(State())

    /// A topic may hold a secret.
    static func name(of topic: String) -> String { Hexadecimal.text(Digest.sha256(Array(topic.utf8))) }

    func handle(_ event: Database.Event) {
        switch event {
        case .notified(let name): wake(name)
        case .mayHaveMissed: wakeAll()
        }
    }

    func wake(_ name: String) {
        let continuations = state.withLock { $0.continuations[name].map { Array($0.values) } ?? [] }
        for continuation in continuations { continuation.yield() }
    }

    private func wakeAll() {
        for continuation in state.withLock({ $0.continuations.values.flatMap(\.values) }) { continuation.yield() }
    }

    func signals(_ name: String) -> AsyncStream<Void> {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextNumber += 1
            state.continuations[name, default: [:]][state.nextNumber] = continuation
            return state.nextNumber
        }
        continuation.onTermination = { [self] _ in
            state.withLock { state in
                state.continuations[name]?[number] = nil
                if state.continuations[name]?.isEmpty == true { state.continuations[name] = nil }
            }
        }
        return signals
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
