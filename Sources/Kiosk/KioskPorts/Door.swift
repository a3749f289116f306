// SPDX-License-Identifier: Apache-2.0

/// A thing that a login at the kiosk itself opens: a strike, a program, another server.
public protocol Door: Sendable {
    /// How long opening the door is still refused, to every person or to this one.
    ///
    /// - Parameter userID: nil while the person is not known.
    /// - Returns: nil when the door may be opened now.
    func wait(for userID: String?) async -> Duration?

    /// Opens the door for a person who is logged in, and records it. Returns when it is open, not when it
    /// is shut again.
    ///
    /// - Parameter userID: the identity as the backend knows it.
    func open(for userID: String) async throws(DoorFailure)
}

/// Why a door did not open.
public struct DoorFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// It was opened too often just now; it may be tried again after this time.
        case tooOften(Duration)
        /// The part that opens the door did not work.
        case broken
        /// The kiosk cannot tell whether the door opened: the part that opens it did not answer.
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
