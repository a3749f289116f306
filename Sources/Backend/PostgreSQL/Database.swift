// SPDX-License-Identifier: Apache-2.0

/// A server's database, with one schema for this program's tables. It may be used from any task.
public final class Database: Sendable {
    /// Limits of its use.
    public struct Settings: Sendable {
        /// The schema of the tables: lower-case letters, digits and underscores.
        public var schema: String
        /// The largest number of connections, not counting the one that listens.
        public var connections: Int
        /// The largest number of callers that wait for a connection.
        public var waiting: Int
        /// The longest time of a call.
        public var limit: Duration
        /// The time between two events ``Event/mayHaveMissed`` without a reason.
        public var polling: Duration

        public init(
            schema: String = "login_kiosk", connections: Int = 8, waiting: Int = 1024, limit: Duration = .seconds(5),
            polling: Duration = .seconds(2)
        ) {
            self.schema = schema
            self.connections = connections
            self.waiting = waiting
            self.limit = limit
            self.polling = polling
        }
    }

    public enum Event: Sendable {
        /// A notification may have been missed: after a time without a connection, and every now and then.
        case mayHaveMissed
        /// A process has called ``notification(_:)`` with that text.
        case notified(String)
    }

    /// The largest number of attempts of a transaction that conflicts with others.
    private static let attempts = 10

    private static let notify = Statement("SELECT pg_notify($1, $2)")
    /// The longest time of the start, not counting an update of the tables.
    private static let starting = Duration.seconds(120)

    private let settings: Settings
    private let pool: ConnectionPool
    private let notifications: NotificationThread

    /// Connects, updates the tables, and listens. Blocks the calling thread, once at a program's start.
    /// - Parameter handle: is called for notifications, on a thread that it must not block.
    public init(
        at target: ServerTarget, settings: Settings = Settings(), migrations: [Migration],
        _ handle: @escaping @Sendable (Event) -> Void
    ) throws(DatabaseFault) {
        precondition(settings.schema.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 })
        self.settings = settings
        let deadline = ContinuousClock.now + Self.starting
        let connector = Connector(target: target, settings: settings)
        let first = try connector.firstConnection(until: deadline)
        try first.migrate(migrations, in: settings.schema, start: deadline)
        try first.listen(to: settings.schema, until: .now + Self.starting)
        notifications = try NotificationThread(
            first, polling: settings.polling,
            connect: {
                Result { () throws(DatabaseFault) in
                    let deadline = ContinuousClock.now + settings.limit
                    let connection = try connector.connection(until: deadline)
                    try connection.listen(to: settings.schema, until: deadline)
                    return connection
                }
            }, handle)
        pool = ConnectionPool(
            bounds: ConnectionPool.Bounds(connections: settings.connections, waiting: settings.waiting)
        ) {
            Result { () throws(DatabaseFault) in try connector.connection(until: .now + settings.limit) }
        }
    }

    deinit { pool.close() }

    /// Runs one call, which is one transaction.
    /// - Throws: as ``transaction(_:)``.
    @discardableResult
    public nonisolated(nonsending) func run(_ call: Call) async throws(DatabaseFault) -> Rows {
        try await run([call])[0]
    }

    /// Runs calls in one transaction and one round trip.
    /// - Returns: the answer to each.
    /// - Throws: as ``transaction(_:)``.
    @discardableResult
    public nonisolated(nonsending) func run(_ calls: [Call]) async throws(DatabaseFault) -> [Rows] {
        try await onConnection { connection, deadline throws(DatabaseFault) in
            try connection.run(calls, until: deadline)
        }
    }

    /// Runs `body` as one transaction, and rolls it back if `body` does not commit it. After a conflict with another
    /// transaction `body` is run again.
    /// - Throws: `DatabaseFault`. After `.connectionLost` and `.late` it is unknown whether `body` has happened.
    public nonisolated(nonsending) func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        try await onConnection { connection, deadline throws(DatabaseFault) in
            let transaction = Transaction(on: connection, until: deadline)
            do throws(DatabaseFault) {
                let value = try body(transaction)
                try transaction.rollBack()
                return value
            } catch {
                // Otherwise the server ends it with the connection.
                if !error.endsConnection { try transaction.rollBack() }
                throw error
            }
        }
    }

    private nonisolated(nonsending) func onConnection<Value: Sendable>(
        _ body: @escaping @Sendable (ServerConnection, ContinuousClock.Instant) throws(DatabaseFault) -> Value
    ) async throws(DatabaseFault) -> Value {
        let deadline = ContinuousClock.now + settings.limit
        var attempt = 1
        while true {
            do throws(DatabaseFault) {
                return try await pool.run(until: deadline) { connection throws(DatabaseFault) in
                    try body(connection, deadline)
                }
            } catch {
                // Another server is the primary now. This one does not send its notifications.
                if error.isOfStandby { notifications.renew() }
                guard error.isWorthAnotherTry, attempt < Self.attempts else { throw error }
                // A random pause, so that the same transactions do not conflict again.
                try? await Task.sleep(for: .microseconds(Int64.random(in: 0...1000) << min(attempt, 6)))
                attempt += 1
            }
        }
    }

    /// Notifies all processes that listen, including this one.
    /// - Parameter text: at most 7,999 bytes.
    public func notification(_ text: String) -> Call { Call(Self.notify, .text(settings.schema), .text(text)) }
}

/// A transaction of several round trips, on a connection's thread. Its locks end with it, or with the process.
public final class Transaction {
    private let connection: ServerConnection
    private let deadline: ContinuousClock.Instant
    private var isOpen = false

    init(on connection: ServerConnection, until deadline: ContinuousClock.Instant) {
        (self.connection, self.deadline) = (connection, deadline)
    }

    /// Runs calls in one round trip.
    /// - Returns: the answer to each.
    @discardableResult
    public func run(_ calls: [Call]) throws(DatabaseFault) -> [Rows] {
        if isOpen { return try connection.run(calls, until: deadline) }
        isOpen = true
        return Array(try connection.run([Call(ServerConnection.begin)] + calls, until: deadline).dropFirst())
    }

    /// Runs the last calls and commits.
    @discardableResult
    public func commit(_ calls: [Call]) throws(DatabaseFault) -> [Rows] {
        // The statements of one round trip are a transaction.
        guard isOpen else { return try connection.run(calls, until: deadline) }
        let answers = try connection.run(calls + [Call(ServerConnection.commit)], until: deadline)
        isOpen = false
        return answers.dropLast()
    }

    /// Rolls back a transaction that was not committed.
    fileprivate func rollBack() throws(DatabaseFault) {
        guard isOpen else { return }
        isOpen = false
        try connection.run(Call(ServerConnection.rollBack), until: deadline)
    }
}

extension ServerConnection {
    static let begin = Statement("BEGIN")
    static let commit = Statement("COMMIT")
    static let rollBack = Statement("ROLLBACK")

    fileprivate func listen(to schema: String, until deadline: ContinuousClock.Instant) throws(DatabaseFault) {
        try run(Call(Statement("LISTEN \(schema)")), until: deadline)
    }
}
