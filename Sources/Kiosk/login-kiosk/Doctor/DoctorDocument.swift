// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration

/// The output of `doctor`.
struct DoctorDocument: Encodable {
    struct Check: Encodable {
        let name: String
        let verdict: String
        let finding: String
        let remedy: String?
    }

    let version = 1
    let checks: [Check]

    init(_ results: [CheckResult]) {
        checks = results.map {
            Check(
                name: $0.name, verdict: $0.verdict.rawValue, finding: $0.finding,
                remedy: $0.remedy.map(InstalledPages.located))
        }
    }

    /// For people: one line for the result, and one for the remedy.
    static func text(_ result: CheckResult) -> String {
        let verdict = result.verdict.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
        let name = result.name.padding(toLength: 8, withPad: " ", startingAt: 0)
        return "\(verdict)  \(name)  \(result.finding)"
            + (result.remedy.map { "\n  hint: \(InstalledPages.located(in: $0))" } ?? "")
    }
}
