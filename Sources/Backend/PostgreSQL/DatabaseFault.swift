// SPDX-License-Identifier: Apache-2.0

/// Why a database did not do what it was asked. No text of it holds a password, a statement or a parameter.
public struct DatabaseFault: Error, Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        /// The description of the server cannot be used.
        case unusableTarget
        /// No connection could be made.
        case unreachable
        /// The connection ended. Whether the call has happened is not known.
        case connectionLost
        /// The server has answered no longer, or no connection became free in time.
        case late
        /// More callers wait for a connection than are let wait.
        case busy
        /// The server's answer (appendix A of its manual), such as `23505` for what is there already.
        case refused(sqlState: String)
        /// The tables are of a newer version of this program, or an answer has another form.
        case unexpected
    }

    public let kind: Kind
    /// The problem, and the place where it is.
    public let problem: String
    /// The operator's remedy; nil where only the log's readers have one.
    public let hint: String?

    public init(_ kind: Kind, _ problem: String, hint: String? = nil) {
        self.kind = kind
        self.problem = problem
        self.hint = hint
    }

    /// For a transaction that found that another one was in its way: it is run again.
    public static let inTheWay = DatabaseFault(
        .refused(sqlState: "40001"), "other processes change the same thing all the time")

    /// Whether the same transaction may go through when it is run again: another one was in its way
    /// (`serialization_failure`, `deadlock_detected`).
    var isWorthAnotherTry: Bool { kind == .refused(sqlState: "40001") || kind == .refused(sqlState: "40P01") }

    /// Whether the server takes no writes (`read_only_sql_transaction`), as one that became a standby.
    var isOfStandby: Bool { kind == .refused(sqlState: "25006") }

    /// Whether the connection is of no use any more.
    var endsConnection: Bool {
        switch kind {
        case .connectionLost, .late, .unexpected, .unreachable: true
        // The server stops, or an operator has ended the session; it takes no writes any more, where another one may;
        // it has forgotten what was prepared.
        case .refused(let sqlState): sqlState.hasPrefix("57P") || sqlState == "25006" || sqlState == "26000"
        case .unusableTarget, .busy: false
        }
    }
}

extension DatabaseFault: CustomStringConvertible {
    public var description: String { problem }
}
