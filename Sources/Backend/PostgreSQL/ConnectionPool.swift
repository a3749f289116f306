// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LinuxSystem
import Synchronization

/// A pool of connections that are opened when they are needed. The numbers of connections and of waiting callers are
/// bounded, and each caller has a deadline.
final class ConnectionPool: Sendable {
    struct Bounds: Sendable {
        var connections = 8
        /// The largest number of waiting callers.
        var waiting = 1024
    }

    /// The result that a waiting caller gets.
    private typealias Reply = Result<ServerConnection, DatabaseFault>

    private struct State {
        var idle: [ServerConnection] = []
        /// Connections in use, idle or being opened.
        var count = 0
        var beingMade = 0
        var waiters = WaitQueue<Reply>()
        /// The reason why the last connection could not be opened, and the time of the next attempt.
        var failure: (fault: DatabaseFault, until: ContinuousClock.Instant, pause: Duration)?
    }

    /// The pause after a failed attempt: doubled each time, and reset by a successful one.
    private static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(1))

    private let bounds: Bounds
    private let connect: @Sendable () -> Result<ServerConnection, DatabaseFault>
    private let state = Mutex(State())

    /// - Parameter connect: opens a connection, on a thread that it may block.
    init(bounds: Bounds, connect: @escaping @Sendable () -> Result<ServerConnection, DatabaseFault>) {
        self.bounds = bounds
        self.connect = connect
    }

    /// Runs `body` with a connection. A connection that has ended meanwhile is replaced.
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

    private nonisolated(nonsending) func wait(until deadline: ContinuousClock.Instant) async -> Reply {
        await withCheckedContinuation { caller in
            var number: UInt64?
            let now = change { state -> Reply? in
                // A connection may have become free meanwhile.
                if let connection = state.idle.popLast() { return .success(connection) }
                // Callers that wait for a connection that may be opened are not counted.
                let free = bounds.connections - state.count + state.beingMade
                guard state.waiters.count < bounds.waiting + free else {
                    return .failure(DatabaseFault(.busy, "too much waits for the database"))
                }
                number = state.waiters.add(caller)
                return nil
            }
            if let now { caller.resume(returning: now) }
            guard let number else { return }
            let rest: Double = (deadline - .now) / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + max(0, rest)) { [self] in
                let caller = state.withLock { $0.waiters.remove(number) }
                caller?.resume(
                    returning: .failure(
                        DatabaseFault(.late, "no connection to the database became free or was made in time")))
            }
        }
    }

    private func takeBack(_ connection: ServerConnection) {
        let next = change { state -> WaitQueue<Reply>.Waiter? in
            if let next = state.waiters.removeFirst() { return next }
            state.idle.append(connection)
            return nil
        }
        next?.resume(returning: .success(connection))
    }

    /// A connection has ended.
    private func forget() { change { $0.count -= 1 } }

    /// Changes the state, then serves the waiting callers. A connection is opened on a thread of its own, so that no
    /// caller waits for it beyond its deadline. If none can be opened and none is in use, the callers get the reason.
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
        case word(DatabaseFault, callers: [WaitQueue<Reply>.Waiter])
    }

    /// Returns what the waiting callers need. A connection that has to be opened is counted from here on.
    private func need(_ state: inout State) -> Need {
        guard state.beingMade < state.waiters.count, state.count < bounds.connections else { return .nothing }
        if let failure = state.failure, failure.until > .now {
            return state.count == 0 ? .word(failure.fault, callers: state.waiters.removeAll()) : .nothing
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
