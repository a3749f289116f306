// SPDX-License-Identifier: Apache-2.0

/// The result of one of the doctor's checks.
public struct CheckResult: Sendable, Equatable {
    public enum Status: String, Sendable, Encodable {
        case ok
        /// The kiosk works, but may fail some day.
        case warning
        /// People cannot log in.
        case failure
    }

    public let status: Status
    public let finding: String
    /// The remedy, without which a complaint does not help the operator.
    public let remedy: String?

    public static func ok(_ finding: String) -> CheckResult {
        CheckResult(status: .ok, finding: finding, remedy: nil)
    }

    public static func warning(_ finding: String, remedy: String) -> CheckResult {
        CheckResult(status: .warning, finding: finding, remedy: remedy)
    }

    public static func failure(_ finding: String, remedy: String) -> CheckResult {
        CheckResult(status: .failure, finding: finding, remedy: remedy)
    }
}
