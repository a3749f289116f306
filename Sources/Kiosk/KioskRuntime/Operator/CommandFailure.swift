// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// Why a command failed: the outcome that a session would have, and further facts for the operator.
public struct CommandFailure: Error, Sendable, Hashable {
    public enum Detail: Sendable, Hashable {
        /// The backends at which the user has identities.
        case backends([String])
        /// The permitted numbers of the PIN's digits.
        case digits(ClosedRange<Int>)
        /// The time from which another mail is allowed, in seconds since 1970-01-01 UTC.
        case until(Int64)
    }

    public let outcome: SessionOutcome
    /// The SDK's name for the failure, such as `HTTP_SERVER_ERROR`; nil if the SDK did not fail.
    public let status: String?
    public let detail: Detail?

    public init(_ outcome: SessionOutcome, status: String? = nil, _ detail: Detail? = nil) {
        self.outcome = outcome
        self.status = status
        self.detail = detail
    }
}
