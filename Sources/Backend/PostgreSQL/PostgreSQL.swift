// SPDX-License-Identifier: Apache-2.0

// A client of PostgreSQL by libpq: a bounded pool of connections, statements that are prepared once, transactions of
// one round trip, and notifications. It does not know what is stored. docs/decisions/0069-postgresql.md

/// An SQL command without values. It is prepared once on each connection.
public final class Statement: Sendable {
    let text: String

    /// - Parameter text: one command of SQL, with `$1`, `$2`, ... for its parameters.
    public init(_ text: String) { self.text = text }
}

/// A value of a statement's parameter, with its SQL type.
public enum Parameter: Sendable {
    /// `bytea`.
    case bytes([UInt8]?)
    /// `text`.
    case text(String?)
    /// `bigint`.
    case integer(Int64?)
    /// `boolean`.
    case boolean(Bool?)

    /// The type's number (pg_type.dat).
    var typeNumber: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .integer: 20
        case .text: 25
        }
    }

    /// Appends the value in the protocol's binary format.
    /// - Returns: false for NULL, which has no bytes.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .bytes(let value?): bytes += value
        case .text(let value?): bytes += value.utf8
        case .integer(let value?):
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        case .boolean(let value?): bytes.append(value ? 1 : 0)
        default: return false
        }
        return true
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
