// SPDX-License-Identifier: Apache-2.0

import Dispatch
import PostgreSQLTestKit
import Synchronization
import Testing

@testable import PostgreSQL

/// Callers of a pool. The test decides when each connection is made.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.absence)))
struct ConnectionPoolTests {
    private static let far = ContinuousClock.Instant.now + .seconds(600)

    private final class Server: Sendable {
        /// Each signal lets one connection be made.
        let gate = DispatchSemaphore(value: 0)
        let count = Atomic<Int>(0)
        let isDown = Atomic<Bool>(false)

        func connect() -> Result<ServerConnection, DatabaseFault> {
            gate.wait()
            count.add(1, ordering: .relaxed)
            if isDown.load(ordering: .relaxed) { return .failure(DatabaseFault(.unreachable, "down")) }
            return Result { () throws(DatabaseFault) in
                do { return try ServerConnection(to: TestDatabase.target()) } catch let fault as DatabaseFault {
                    throw fault
                } catch {
                    throw DatabaseFault(.unreachable, "\(error)")
                }
            }
        }
    }

    private let server = Server()

    private func pool(_ connections: Int = 1) -> ConnectionPool {
        ConnectionPool(bounds: ConnectionPool.Bounds(connections: connections, waiting: 64)) { [server] in
            server.connect()
        }
    }

    private static func kind(
        _ pool: ConnectionPool, until deadline: ContinuousClock.Instant = far,
        _ body: @escaping @Sendable () -> Void = {}
    ) async -> DatabaseFault.Kind? {
        do throws(DatabaseFault) {
            try await pool.run(until: deadline) { _ throws(DatabaseFault) in body() }
            return nil
        } catch {
            return error.kind
        }
    }

    /// A caller waits for a connection no longer than its limit. The next caller gets the connection once it is made.
    @Test(.timeLimit(.minutes(10))) func aSlowConnection() async throws {
        let pool = pool()
        #expect(await Self.kind(pool, until: .now + .milliseconds(50)) == .late)
        server.gate.signal()
        #expect(await Self.kind(pool) == nil)
        #expect(server.count.load(ordering: .relaxed) == 1)
    }

    /// A call that keeps its connection until it is let go.
    private final class Keeper: Sendable {
        let end = DispatchSemaphore(value: 0)
        private let hasBegun = Atomic(false)

        func keep() {
            hasBegun.store(true, ordering: .relaxed)
            end.wait()
        }

        func begin() async { while !hasBegun.load(ordering: .relaxed) { await Task.yield() } }
    }

    /// A caller whose time is over does not wait.
    @Test(.timeLimit(.minutes(10))) func aCallerThatIsTooLate() async throws {
        let (pool, keeper) = (pool(), Keeper())
        server.gate.signal()
        async let kept = Self.kind(pool) { keeper.keep() }
        await keeper.begin()
        for _ in 0..<200 { #expect(await Self.kind(pool, until: .now - .seconds(1)) == .late) }
        keeper.end.signal()
        #expect(await kept == nil)
    }

    /// A caller that waits for a connection in use is not told that another could not be made. It gets the first one.
    @Test(.timeLimit(.minutes(10))) func aServerThatTakesNoMore() async throws {
        let (pool, keeper) = (pool(2), Keeper())
        server.gate.signal()
        async let kept = Self.kind(pool) { keeper.keep() }
        await keeper.begin()
        server.isDown.store(true, ordering: .relaxed)
        async let waiting = Self.kind(pool)
        server.gate.signal()
        while server.count.load(ordering: .relaxed) < 2 { await Task.yield() }
        keeper.end.signal()
        #expect(await [kept, waiting] == [nil, nil])
    }

    /// Without any connection all waiting callers get the error, and for a while no other connection is tried.
    @Test(.timeLimit(.minutes(10))) func aServerThatIsDown() async throws {
        let (pool, server) = (pool(2), server)
        server.isDown.store(true, ordering: .relaxed)
        for _ in 0..<64 { server.gate.signal() }
        let kinds = await withTaskGroup(of: DatabaseFault.Kind?.self) { group in
            for _ in 0..<40 { group.addTask { await Self.kind(pool) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kinds.allSatisfy { $0 == .unreachable })
        #expect(server.count.load(ordering: .relaxed) < 40)
        server.isDown.store(false, ordering: .relaxed)
        while await Self.kind(pool) == .unreachable {}
        #expect(await Self.kind(pool) == nil)
    }
}
