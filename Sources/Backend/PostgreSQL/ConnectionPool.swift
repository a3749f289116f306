// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LinuxSystem
import Synchronization

/// Connections that are made when they are needed and kept for the next caller; no more than the bound, and no more
/// callers wait than are let wait, each until a deadline.
final class ConnectionPool: Sendable {
    struct Bounds: Sendable {
        var connections = 8
        /// Callers that wait for one.
        var waiting = 1024
    }

    /// The result that a waiting caller gets.
    private typealias Turn = Result<ServerConnection, DatabaseFault>

    private struct State {
        var idle: [ServerConnection] = []
        /// Those in use, and those that are being made, among them.
        var count = 0
        var beingMade = 0
        var line = WaitingLine<Turn>()
        /// Why none could be made last, and until when no other one is tried.
        var failure: (fault: DatabaseFault, until: ContinuousClock.Instant, pause: Duration)?
    }

    /// How long none is made after one could not be: doubled with each, and back to the first after one that could.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(1))

    private let bounds: Bounds
    private let connect: @Sendable () -> Result<ServerConnection, DatabaseFault>
    private let state = Mutex(State())

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
            if error.endsConnection || !connection.isBetweenTransactions { forget() } else { takeBack(connection) }
            throw error
        }
    }

    private nonisolated(nonsending) func lend(
        until deadline: ContinuousClock.Instant
    ) async throws(DatabaseFault) -> ServerConnection {
        while true {
            let connection: ServerConnection
            if let idle = state.withLock({ $0.idle.popLast() }) {
                connection = idle
            } else {
                connection = try await wait(until: deadline).get()
            }
            if connection.isQuiet { return connection }
            forget()
        }
    }

    private nonisolated(nonsending) func wait(until deadline: ContinuousClock.Instant) async -> Turn {
        await withCheckedContinuation { caller in
            var number: UInt64?
            let now = change { state -> Turn? in
                // One may have become free meanwhile.
                if let connection = state.idle.popLast() { return .success(connection) }
                // Those do not count who wait for one that may be made.
                let free = bounds.connections - state.count + state.beingMade
                guard state.line.count < bounds.waiting + free else {
                    return .failure(DatabaseFault(.busy, "too much waits for the database"))
                }
                number = state.line.add(caller)
                return nil
            }
            if let now { caller.resume(returning: now) }
            guard let number else { return }
            let rest: Double = (deadline - .now) / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + max(0, rest)) { [self] in
                let caller = state.withLock { $0.line.remove(number) }
                caller?.resume(
                    returning: .failure(
                        DatabaseFault(.late, "no connection to the database became free or was made in time")))
            }
        }
    }

    private func takeBack(_ connection: ServerConnection) {
        let next = change { state -> WaitingLine<Turn>.Caller? in
            if let next = state.line.removeFirst() { return next }
            state.idle.append(connection)
            return nil
        }
        next?.resume(returning: .success(connection))
    }

    /// A connection has ended.
    private func forget() { change { $0.count -= 1 } }

    /// Changes the state, and does then what those need who wait: a connection is made on a thread of its own, so that
    /// no caller waits for it beyond its deadline; where none can be made, and there is none in use, they hear why.
    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, needed) = state.withLock { state -> (Value, Need) in
            let value = body(&state)
            return (value, need(&state))
        }
        switch needed {
        case .nothing: break
        case .connection:
            do throws(SystemRefusal) { try SystemThread.detach { [self] in end(connect()) } } catch {
                end(.failure(DatabaseFault(.unreachable, "\(error)")))
            }
        case .word(let fault, let callers):
            for caller in callers { caller.resume(returning: .failure(fault)) }
        }
        return value
    }

    private enum Need {
        case nothing, connection
        case word(DatabaseFault, callers: [WaitingLine<Turn>.Caller])
    }

    /// Returns what the pool has to do for the callers that wait. A connection that it asks for is counted from here
    /// on.
    private func need(_ state: inout State) -> Need {
        guard state.beingMade < state.line.count, state.count < bounds.connections else { return .nothing }
        if let failure = state.failure, failure.until > .now {
            return state.count == 0 ? .word(failure.fault, callers: state.line.removeAll()) : .nothing
        }
        state.count += 1
        state.beingMade += 1
        return .connection
    }

    private func end(_ making: Result<ServerConnection, DatabaseFault>) {
        switch making {
        case .success(let connection):
            state.withLock { state in
                state.beingMade -= 1
                state.failure = nil
            }
            takeBack(connection)
        case .failure(let fault):
            change { state in
                state.beingMade -= 1
                state.count -= 1
                let pause = min(state.failure.map { $0.pause * 2 } ?? Self.pauses.first, Self.pauses.longest)
                state.failure = (fault, .now + pause, pause)
            }
        }
    }
}
