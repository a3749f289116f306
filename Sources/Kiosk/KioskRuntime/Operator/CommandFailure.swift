// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// Why a command did not do what it was asked: how a session would have ended, and what the operator is told beside.
public struct CommandFailure: Error, Sendable, Hashable {
    public enum Detail: Sendable, Hashable {
        /// The backends at which the user has identities.
        case backends([String])
        /// How many digits the PIN may have.
        case digits(ClosedRange<Int>)
        /// When another mail is welcome, in seconds since 1970-01-01 UTC.
        case until(Int64)
    }

    public let outcome: SessionOutcome
    /// The SDK's name of what failed, such as `HTTP_SERVER_ERROR`; nil when nothing of it did.
    public let status: String?
    public let detail: Detail?

    public init(_ outcome: SessionOutcome, status: String? = nil, _ detail: Detail? = nil) {
        self.outcome = outcome
        self.status = status
        self.detail = detail
    }
}
