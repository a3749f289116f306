// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

struct ConstantTimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "constant-time", abstract: "Check that no branch or address depends on a secret.",
        discussion: """
            Started by Valgrind, it runs the cryptography with its secrets marked as undefined memory, and counts what \
            Valgrind reports. Says something about an optimised build only. `make test-constant-time` does it all.

            valgrind --suppressions=Tests/constant-time.supp login-kiosk-dev constant-time

            The exit code is 0 when nothing leaks and both controls are caught, and 1 otherwise.
            """)

    func run() throws {
        guard Taint.isWatching else {
            throw Complaint.make(
                "nothing watches over this process", hint: "start it by Valgrind: make test-constant-time",
                status: .usage)
        }
        let samples = try Samples()
        let checks =
            ConstantTimeCheck.issuing(samples) + ConstantTimeCheck.proving(samples)
            + ConstantTimeCheck.controls(samples)
        var allPass = true
        for check in checks {
            let reports = try check.reports()
            let isPassed = check.isPassed(with: reports)
            let remark = check.isControl ? ", as there should be" : ""
            print("\(isPassed ? "ok  " : "FAIL")  \(check.name): \(reports) reports\(remark)")
            if !isPassed { allPass = false }
        }
        if !allPass { throw ExitCode.failure }
    }
}
