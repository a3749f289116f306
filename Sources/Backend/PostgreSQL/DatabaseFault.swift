// SPDX-License-Identifier: Apache-2.0

/// The failure of a call. Its texts contain no password, statement or parameter.
public struct DatabaseFault: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The description of the server cannot be used.
        case unusableTarget
        /// No connection could be made.
        case unreachable
        /// The connection ended. It is unknown whether the call has happened.
        case connectionLost
        /// The server did not answer in time, or no connection became free in time.
        case late
        /// Too many callers wait for a connection.
        case busy
        /// The server's error code (appendix A of its manual), such as `23505` for a duplicate.
        case refused(sqlState: String)
        /// The tables belong to a newer version of this program, or an answer has another form.
        case unexpected
    }

    public let kind: Kind
    /// The problem, and the place where it is.
    public let problem: String
    /// The operator's remedy; nil for none.
    public let hint: String?

    public init(_ kind: Kind, _ problem: String, hint: String? = nil) {
        self.kind = kind
        self.problem = problem
        self.hint = hint
    }

    /// Thrown by a transaction that conflicts with another, so that it is run again.
    public static let inTheWay = DatabaseFault(
        .refused(sqlState: "40001"), "other processes change the same thing all the time")

    /// Whether the same transaction may succeed when it is run again, because it conflicted with another one
    /// (`serialization_failure`, `deadlock_detected`).
    var isWorthAnotherTry: Bool { kind == .refused(sqlState: "40001") || kind == .refused(sqlState: "40P01") }

    /// Whether the server takes no writes (`read_only_sql_transaction`), as one that became a standby.
    var isOfStandby: Bool { kind == .refused(sqlState: "25006") }

    /// Whether the connection cannot be used again.
    var endsConnection: Bool {
        switch kind {
        case .connectionLost, .late, .unexpected, .unreachable: true
        // The server stops, or an operator has ended the session; the server is no longer the primary; it has lost its
        // prepared statements.
        case .refused(let sqlState): sqlState.hasPrefix("57P") || sqlState == "25006" || sqlState == "26000"
        case .unusableTarget, .busy: false
        }
    }
}

extension DatabaseFault: CustomStringConvertible {
    public var description: String { problem }
}
