// SPDX-License-Identifier: Apache-2.0

// A database server that speaks PostgreSQL's protocol, by libpq: one pool of connections with a bound, statements that
// are prepared once, transactions of one round trip, and those who wait for another process. It knows nothing of what
// is kept. docs/decisions/0069-postgresql.md

/// What is sent to the server and changes with no value: it is prepared once on each connection.
public final class Statement: Sendable {
    let text: String

    /// - Parameter text: one command of SQL, with `$1`, `$2`, ... for its parameters.
    public init(_ text: String) { self.text = text }
}

/// A value that a statement is given. Its type is the parameter's in SQL.
public enum Parameter: Sendable {
    /// `bytea`.
    case bytes([UInt8]?)
    /// `text`.
    case text(String?)
    /// `bigint`.
    case integer(Int64?)
    /// `boolean`.
    case boolean(Bool?)

    /// Of the type (pg_type.dat).
    var typeNumber: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .integer: 20
        case .text: 25
        }
    }

    /// As the protocol's binary format has it.
    var encoded: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .text(let text): text.map { Array($0.utf8) }
        case .integer(let number):
            number.map { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        case .boolean(let value): value.map { [$0 ? 1 : 0] }
        }
    }
}

/// A statement with its parameters.
public struct Call: Sendable {
    public let statement: Statement
    public let parameters: [Parameter]

    public init(_ statement: Statement, _ parameters: Parameter...) {
        self.statement = statement
        self.parameters = parameters
    }

    public init(_ statement: Statement, parameters: [Parameter]) {
        self.statement = statement
        self.parameters = parameters
    }
}
