// SPDX-License-Identifier: Apache-2.0

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
