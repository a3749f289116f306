// SPDX-License-Identifier: Apache-2.0

/// What a login at the kiosk itself opens: a strike, a program, another server.
public protocol Door: Sendable {
    /// How long nobody, or this person, may open the door yet.
    ///
    /// - Parameter userID: nil while nobody is known.
    /// - Returns: nil when the door may be opened now.
    func wait(for userID: String?) async -> Duration?

    /// Opens the door for somebody who is logged in, and records it. Returns when it is open, not when it is shut again.
    ///
    /// - Parameter userID: the identity as the backend knows it.
    func open(for userID: String) async throws(DoorFailure)
}

/// Why a door did not open.
public struct DoorFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// It was opened too often just now; it may be tried again after this time.
        case tooOften(Duration)
        /// What opens it did not work.
        case broken
        /// Nobody knows whether it opened: what opens it did not answer.
        case unknown
    }

    public let reason: Reason
    /// For the log and the record: what, where, what to do; names no person.
    public let detail: String

    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    public var description: String { detail }
}
