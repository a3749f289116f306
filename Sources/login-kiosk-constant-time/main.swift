// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

ProgramStart.prepare()

/// Exit statuses as in sysexits.h: 64 for a wrong use.
enum ExitStatus {
    static let failure: Int32 = 1
    static let usage: Int32 = 64
}

guard CommandLine.arguments.count == 1, Taint.isWatching else {
    print(
        """
        usage: valgrind --suppressions=Tests/constant-time.supp login-kiosk-constant-time

        Runs the cryptography with its secrets marked as undefined memory, and counts what Valgrind reports: branches and
        addresses that depend on a secret. Says something about an optimised build only. `make test-constant-time` does it all.

        Exit status: 0 nothing leaks and both controls are caught; 1 otherwise; 64 not started by Valgrind.
        """)
    exit(ExitStatus.usage)
}

let samples = try Samples()
let checks =
    ConstantTimeCheck.issuing(samples) + ConstantTimeCheck.proving(samples) + ConstantTimeCheck.controls(samples)
var allPass = true
for check in checks {
    let reports = try check.reports()
    let isPassed = check.isPassed(with: reports)
    print(
        "\(isPassed ? "ok  " : "FAIL")  \(check.name): \(reports) reports\(check.isControl ? ", as there should be" : "")"
    )
    if !isPassed { allPass = false }
}
exit(allPass ? 0 : ExitStatus.failure)
