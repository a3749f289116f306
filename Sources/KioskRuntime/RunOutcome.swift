// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// How a run for a script ended.
public struct RunOutcome: Sendable, Hashable {
    public let outcome: SessionOutcome
    /// The SDK's name of what failed, such as `HTTP_SERVER_ERROR`; nil when nothing of it did.
    public let status: String?

    init(_ outcome: SessionOutcome, status: String? = nil) {
        self.outcome = outcome
        self.status = status
    }

    public var exitCode: Int32 { outcome.exitCode }
}
