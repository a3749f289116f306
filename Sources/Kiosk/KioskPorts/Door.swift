// SPDX-License-Identifier: Apache-2.0

/// An action of a login at the kiosk itself: a strike, a program, a request to another server.
public protocol Door: Sendable {
    /// Returns the time for which the door must not be opened, by anybody or by this person.
    ///
    /// - Parameter userID: nil while the person is not known.
    /// - Returns: nil when the door may be opened now.
    func wait(for userID: String?) async -> Duration?

    /// Opens the door for a logged-in person, and records it. Returns when the door is open, not when it is shut
    /// again.
    ///
    /// - Parameter userID: the identity as the backend knows it.
    func open(for userID: String) async throws(DoorFailure)
}

/// The reason why a door did not open.
public struct DoorFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The door was opened too often just now. Try again after this time.
        case tooOften(Duration)
        /// The part that opens the door failed.
        case broken
        /// The door may have opened or not: the part that opens it did not answer.
        case unknown
    }

    public let reason: Reason
    /// Text for the log and the audit log: the failure, its place and the remedy. It names no person.
    public let detail: String

    public init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    public var description: String { detail }
}
