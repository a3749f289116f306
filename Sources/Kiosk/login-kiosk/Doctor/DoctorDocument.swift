// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration

/// The output of `doctor`.
struct DoctorDocument: Encodable {
    struct Check: Encodable {
        let name: String
        let verdict: CheckResult.Verdict
        let finding: String
        let remedy: String?

        init(_ name: String, _ result: CheckResult) {
            self.name = name
            verdict = result.verdict
            finding = result.finding
            remedy = result.remedy.map(InstalledPages.located)
        }

        /// For people: one line for the result, and one for the remedy.
        var text: String {
            let verdict = verdict.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            let name = name.padding(toLength: 8, withPad: " ", startingAt: 0)
            return "\(verdict)  \(name)  \(finding)" + (remedy.map { "\n  hint: \($0)" } ?? "")
        }
    }

    let version = 1
    var checks: [Check] = []
}
