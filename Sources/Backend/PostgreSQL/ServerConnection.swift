// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Glibc
import Synchronization

/// A connection to the server. It belongs to one thread at a time, which it blocks.
///
/// It is in pipeline mode (section 34.5 of PostgreSQL's manual): calls that are sent together are one transaction and
/// one round trip, even if statements are prepared on the way.
@safe final class ServerConnection: Sendable {
    /// Statements that the server has prepared. They are retained, so that no other statement gets their identity.
    private struct Prepared {
        var names: [ObjectIdentifier: (statement: Statement, name: String)] = [:]
        var count = 0

        mutating func add(_ statement: Statement) -> String {
            count += 1
            let name = "statement \(count)"
            names[ObjectIdentifier(statement)] = (statement, name)
            return name
        }
    }

    // Safe: only the connection's current caller uses it, one call after the other.
    private nonisolated(unsafe) let connection: OpaquePointer
    private let target: ServerTarget
    private let prepared = Mutex(Prepared())

    /// Connects. Blocks the calling thread within libpq's own limits.
    init(to target: ServerTarget) throws(DatabaseFault) {
        let connection = unsafe withOptions(target.options) { keywords, values in
            unsafe PQconnectdbParams(keywords, values, 1)
        }
        guard let connection = unsafe connection else { throw DatabaseFault(.unreachable, "out of memory") }
        unsafe self.connection = unsafe connection
        self.target = target
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            // Further lines are about other addresses of the same server.
            throw DatabaseFault(
                .unreachable, "\(target): \(message)", hint: ServerConnection.hint(for: message))
        }
        // Notices are for people at a terminal.
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard unsafe PQsetnonblocking(connection, 1) == 0, unsafe PQenterPipelineMode(connection) == 1 else {
            throw lost()
        }
    }

    deinit { unsafe PQfinish(connection) }

    private static func hint(for message: String) -> String {
        if message.contains("certificate") || message.contains("SSL") {
            return
                "the server has to prove its name by TLS: sslrootcert=FILE names who vouches for it; a server that is "
                + "trusted without that needs sslmode="
        }
        if message.contains("password") || message.contains("authentication") || message.contains("pg_hba") {
            return "look who may log in there: user=, passfile= and the server's pg_hba.conf"
        }
        return "look whether the server runs and is meant: pg_isready"
    }

    /// libpq's last error message, in one line.
    private var message: String {
        // Safe: the text is libpq's own and is copied at once.
        let text = unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        return ServerTarget.firstLine(text)
    }

    var descriptor: Int32 { unsafe PQsocket(connection) }

    /// The protocol's number: 150018 for 15.18.
    var serverVersion: Int32 { unsafe PQserverVersion(connection) }

    var serverEncoding: String {
        unsafe PQparameterStatus(connection, "server_encoding").map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether no transaction is open.
    var isBetweenTransactions: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_IDLE }

    /// Whether the server has sent nothing since the last answer. Between two callers it sends something only when it
    /// ends the connection.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        // Safe: one byte of our own, which stays in the socket.
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0
            && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    private func lost() -> DatabaseFault {
        let cause = message
        return DatabaseFault(.connectionLost, "\(target): \(cause.isEmpty ? "the connection ended" : cause)")
    }

    /// The fault of an answer that violates the protocol.
    private func unasked() -> DatabaseFault { DatabaseFault(.unexpected, "\(target): an answer that fits no call") }

    /// Blocks until the server has sent something or, with `orWriting`, takes more.
    private func wait(until deadline: ContinuousClock.Instant, orWriting: Bool = false) throws(DatabaseFault) {
        let rest: Double = (deadline - .now) / .milliseconds(1)
        // The deadline applies even if there is always something to read.
        guard rest > 0 else { throw DatabaseFault(.late, "\(target): no answer in time") }
        var list = pollfd(fd: descriptor, events: Int16(POLLIN | (orWriting ? POLLOUT : 0)), revents: 0)
        // Safe: the list is ours. A signal ends the wait early, which does no harm.
        _ = unsafe poll(&list, 1, Int32(clamping: Int64(rest.rounded(.up))))
        try consume()
    }

    /// Reads the available bytes, without waiting.
    private func consume() throws(DatabaseFault) {
        // If a TLS record is longer than the room in libpq's buffer, OpenSSL keeps the rest, and the descriptor does
        // not become readable for it.
        for _ in 0..<(unsafe PQsslInUse(connection) == 1 ? 2 : 1) {
            guard unsafe PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }
}

extension ServerConnection {
    /// Reads notifications without waiting.
    /// - Returns: their payloads; nil when the connection has ended.
    func takeNotifications() -> [String]? {
        guard (try? consume()) != nil else { return nil }
        var payloads: [String] = []
        while let notification = unsafe PQnotifies(connection) {
            // Safe: the texts are copied before they are freed.
            payloads.append(unsafe String(cString: notification.pointee.extra))
            unsafe PQfreemem(notification)
        }
        return payloads
    }

    private enum Step {
        case preparation(ObjectIdentifier)
        case call
    }

    @discardableResult
    func run(_ call: Call, until deadline: ContinuousClock.Instant) throws(DatabaseFault) -> Rows {
        try run([call], until: deadline)[0]
    }

    /// Runs all calls in one transaction, in one round trip.
    /// - Returns: the answer to each.
    /// - Throws: `DatabaseFault`. Nothing has happened then; after `.connectionLost` and `.late` this is unknown.
    ///   ``DatabaseFault/endsConnection`` is whether the connection can be used again.
    @discardableResult
    func run(_ calls: [Call], until deadline: ContinuousClock.Instant) throws(DatabaseFault) -> [Rows] {
        let steps = try send(calls)
        while true {
            let rest = unsafe PQflush(connection)
            if rest == 0 { break }
            guard rest > 0 else { throw lost() }
            try wait(until: deadline, orWriting: true)
        }
        let answers = try answers(to: steps, until: deadline)
        guard answers.count == calls.count else { throw unasked() }
        return answers
    }

    /// - Returns: the answers to the calls among the steps.
    private func answers(to steps: [Step], until deadline: ContinuousClock.Instant) throws(DatabaseFault) -> [Rows] {
        var answers: [Rows] = []
        var first: DatabaseFault?
        var (received, done) = (0, 0)
        while true {
            while unsafe PQisBusy(connection) == 1 { try wait(until: deadline) }
            guard let result = unsafe PQgetResult(connection) else {
                // nil ends the answers of each step. Without a connection there is nothing else.
                guard unsafe PQstatus(connection) == CONNECTION_OK else { throw lost() }
                done += 1
                guard done <= steps.count else { throw unasked() }
                continue
            }
            let rows = unsafe Rows(owning: result)
            received += 1
            // One answer for each step, and one for the end.
            guard received <= steps.count + 1 else { throw unasked() }
            let step = done < steps.count ? steps[done] : nil
            switch unsafe PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                if let first { throw first }
                return answers
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: if case .call = step { answers.append(rows) }
            default:
                // The server skips later statements of the transaction. A statement whose preparation failed is
                // prepared again, under another name.
                if case .preparation(let statement) = step { prepared.withLock { $0.names[statement] = nil } }
                if first == nil { first = unsafe fault(of: result) }
            }
        }
    }

    private func send(_ calls: [Call]) throws(DatabaseFault) -> [Step] {
        var steps: [Step] = []
        for call in calls {
            let identity = ObjectIdentifier(call.statement)
            let known = prepared.withLock { $0.names[identity]?.name }
            let name = known ?? prepared.withLock { $0.add(call.statement) }
            if known == nil {
                let types = call.parameters.map(\.typeNumber)
                // Safe: name, text and types are lent for the call.
                guard unsafe PQsendPrepare(connection, name, call.statement.text, Int32(types.count), types) == 1 else {
                    throw lost()
                }
                steps.append(.preparation(identity))
            }
            let sent = unsafe withParameters(call.parameters) { values, lengths, formats in
                unsafe PQsendQueryPrepared(
                    connection, name, Int32(call.parameters.count), values, lengths, formats, 1)
            }
            guard sent == 1 else { throw lost() }
            steps.append(.call)
        }
        guard unsafe PQpipelineSync(connection) == 1 else { throw lost() }
        return steps
    }

    private func fault(of result: OpaquePointer) -> DatabaseFault {
        func field(_ code: UnicodeScalar) -> String {
            // Safe: the text is the result's own and is copied at once.
            unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) } ?? ""
        }
        // SQLSTATE and the primary message (`PG_DIAG_SQLSTATE`, `PG_DIAG_MESSAGE_PRIMARY`). Other fields repeat values.
        let sqlState = field("C")
        guard !sqlState.isEmpty else { return lost() }
        return DatabaseFault(
            .refused(sqlState: sqlState), "\(target): \(ServerTarget.firstLine(field("M"))) (\(sqlState))")
    }

    private func withParameters<Result>(
        _ parameters: [Parameter],
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        // The values one after the other. A negative offset stands for NULL.
        var (bytes, places, lengths): ([UInt8], [Int], [Int32]) = ([], [], [])
        bytes.reserveCapacity(256)
        places.reserveCapacity(parameters.count)
        lengths.reserveCapacity(parameters.count)
        for parameter in parameters {
            let place = bytes.count
            places.append(parameter.append(to: &bytes) ? place : -1)
            lengths.append(Int32(bytes.count - place))
        }
        // A terminating byte, so that an empty value has an address: libpq takes a missing address for NULL.
        bytes.append(0)
        let formats = [Int32](repeating: 1, count: parameters.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            // Safe: every value lies within the memory, which is lent for the call, as the lists are.
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var values: [UnsafePointer<CChar>?] = unsafe []
            unsafe values.reserveCapacity(places.count)
            for place in places {
                if place >= 0, let start = unsafe start {
                    unsafe values.append(start + place)
                } else {
                    unsafe values.append(nil)
                }
            }
            return unsafe values.withUnsafeBufferPointer { values in
                unsafe body(values.baseAddress, lengths, formats)
            }
        }
    }
}
