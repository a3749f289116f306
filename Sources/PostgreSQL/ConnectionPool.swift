// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Connections that are made when they are needed and kept for the next caller; no more than the bound, and no more
/// callers wait than are let wait, each until a deadline.
final class ConnectionPool: Sendable {
    struct Bounds: Sendable {
        var connections = 8
        /// Callers that wait for one.
        var waiting = 1024
    }

    /// What a caller that waited gets.
    private enum Turn: Sendable {
        case connection(ServerConnection)
        /// The place of a connection that has ended.
        case place
        case failure(DatabaseFault)
    }

    private struct State {
        var idle: [ServerConnection] = []
        /// Those in use, and those that are being made, among them.
        var count = 0
        /// Of waits, the oldest first; also of those that have ended.
        var waiting: [UInt64] = []
        var turns: [UInt64: CheckedContinuation<Turn, Never>] = [:]
        /// Why none could be made last, and until when no other caller tries.
        var failure: (fault: DatabaseFault, until: ContinuousClock.Instant, pause: Duration)?
    }

    /// How long no caller tries to connect after one has failed: doubled with each, and back to the first after one
    /// that did not.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(1))

    private let bounds: Bounds
    private let connect: @Sendable () -> Result<ServerConnection, DatabaseFault>
    private let state = Mutex(State())
    private let nextWait = Atomic<UInt64>(0)

    /// - Parameter connect: makes a connection, on a thread that may stand still.
    init(bounds: Bounds, connect: @escaping @Sendable () -> Result<ServerConnection, DatabaseFault>) {
        self.bounds = bounds
        self.connect = connect
    }

    /// Lends a connection for `body`. One that is found to have ended meanwhile is replaced before.
    nonisolated(nonsending) func withConnection<Value>(
        until deadline: ContinuousClock.Instant,
        _ body: nonisolated(nonsending) (ServerConnection) async throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let connection = try await lend(until: deadline)
        do throws(DatabaseFault) {
            let value = try await body(connection)
            takeBack(connection)
            return value
        } catch {
            if error.endsConnection || !connection.isBetweenTransactions { giveUpPlace() } else { takeBack(connection) }
            throw error
        }
    }

    private nonisolated(nonsending) func lend(
        until deadline: ContinuousClock.Instant
    ) async throws(DatabaseFault) -> ServerConnection {
        while true {
            var turn = state.withLock { state -> Turn? in
                if let connection = state.idle.popLast() { return .connection(connection) }
                guard state.count < bounds.connections else { return nil }
                if let failure = state.failure, failure.until > .now { return .failure(failure.fault) }
                state.count += 1
                return .place
            }
            if turn == nil { turn = await wait(until: deadline) }
            switch turn {
            case .failure(let fault)?: throw fault
            case .place?: return try await open()
            case nil: break
            case .connection(let connection)?:
                if connection.isQuiet { return connection }
                giveUpPlace()
            }
        }
    }

    private nonisolated(nonsending) func open() async throws(DatabaseFault) -> ServerConnection {
        switch await BlockingThread.run(connect) {
        case .success(let connection):
            state.withLock { $0.failure = nil }
            return connection
        case .failure(let fault):
            let waiting = state.withLock { state in
                state.count -= 1
                let pause = min(state.failure.map { $0.pause * 2 } ?? Self.pauses.first, Self.pauses.longest)
                state.failure = (fault, .now + pause, pause)
                // They would hear the same.
                defer { (state.waiting, state.turns) = ([], [:]) }
                return Array(state.turns.values)
            }
            for continuation in waiting { continuation.resume(returning: .failure(fault)) }
            throw fault
        }
    }

    private nonisolated(nonsending) func wait(until deadline: ContinuousClock.Instant) async -> Turn {
        let number = nextWait.add(1, ordering: .relaxed).newValue
        let timer = DescriptorWatch.shared.begin(until: deadline) { [self] _ in
            end(
                number, with: .failure(DatabaseFault(.late, "every connection to the database was in use for too long"))
            )
        }
        let turn = await withCheckedContinuation { continuation in
            let turn = state.withLock { state -> Turn? in
                // One may have become free meanwhile.
                if let connection = state.idle.popLast() { return .connection(connection) }
                if state.count < bounds.connections {
                    state.count += 1
                    return .place
                }
                guard state.turns.count < bounds.waiting else {
                    return .failure(DatabaseFault(.busy, "too much waits for the database"))
                }
                state.waiting.append(number)
                state.turns[number] = continuation
                return nil
            }
            if let turn { continuation.resume(returning: turn) }
        }
        _ = DescriptorWatch.shared.end(timer)
        return turn
    }

    private func end(_ number: UInt64, with turn: Turn) {
        state.withLock { $0.turns.removeValue(forKey: number) }?.resume(returning: turn)
    }

    private func takeBack(_ connection: ServerConnection) {
        give(.connection(connection)) { $0.idle.append(connection) }
    }

    /// A connection has ended.
    private func giveUpPlace() {
        give(.place) { $0.count -= 1 }
    }

    /// - Parameter otherwise: what happens when no caller waits.
    private func give(_ turn: Turn, otherwise: (inout State) -> Void) {
        let next = state.withLock { state -> CheckedContinuation<Turn, Never>? in
            while !state.waiting.isEmpty {
                if let next = state.turns.removeValue(forKey: state.waiting.removeFirst()) { return next }
            }
            otherwise(&state)
            return nil
        }
        next?.resume(returning: turn)
    }
}
