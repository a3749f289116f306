// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration

/// The output of `doctor`.
struct DoctorDocument: Encodable {
    struct Check: Encodable {
        let name: String
        let status: CheckResult.Status
        let finding: String
        let remedy: String?

        init(_ name: String, _ result: CheckResult) {
            self.name = name
            status = result.status
            finding = InstalledPages.located(in: result.finding)
            remedy = result.remedy.map(InstalledPages.located)
        }

        /// For people: one line for the result, and one for the remedy.
        var text: String {
            let status = status.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
            let name = name.padding(toLength: 8, withPad: " ", startingAt: 0)
            return "\(status)  \(name)  \(finding)" + (remedy.map { "\n  hint: \($0)" } ?? "")
        }
    }

    let version = 1
    var checks: [Check] = []

    /// For people: the section that explains the checks that found something; nil if none did.
    var page: String? {
        var names: [String] = []
        for check in checks where check.status != .ok && !names.contains(check.name) { names.append(check.name) }
        guard !names.isEmpty else { return nil }
        return "see \"By the doctor's check\" in \(InstalledPages.located(in: "docs/troubleshooting.md")): "
            + names.joined(separator: ", ")
    }
}
