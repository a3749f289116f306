// SPDX-License-Identifier: Apache-2.0

/// The result of one of the doctor's checks.
public struct CheckResult: Sendable, Equatable {
    public enum Verdict: String, Sendable {
        case ok
        /// The kiosk works, but may fail some day.
        case warning
        /// Nobody can log in.
        case failure
    }

    public let name: String
    public let verdict: Verdict
    public let finding: String
    /// The remedy, without which a complaint does not help the operator.
    public let remedy: String?

    public static func ok(_ name: String, _ finding: String) -> CheckResult {
        CheckResult(name: name, verdict: .ok, finding: finding, remedy: nil)
    }

    public static func warning(_ name: String, _ finding: String, remedy: String) -> CheckResult {
        CheckResult(name: name, verdict: .warning, finding: finding, remedy: remedy)
    }

    public static func failure(_ name: String, _ finding: String, remedy: String) -> CheckResult {
        CheckResult(name: name, verdict: .failure, finding: finding, remedy: remedy)
    }
}
