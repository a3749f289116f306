// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

ProgramStart.prepare()

/// Exit statuses as in sysexits.h: 64 for a wrong command line.
enum ExitStatus {
    static let failure: Int32 = 1
    static let usage: Int32 = 64
}

let usage = """
    usage: login-kiosk-bench [--only GROUP] [--json]

    Times the program's parts against references, in turn and many times over, and prints the medians and the middle
    80 per cent of the ratios. Only an optimised build gives figures that mean something.

      --only GROUP   run one group: \(BenchmarkGroup.all.map(\.name).joined(separator: ", "))
      --json         print an array of objects: name, ours_ns, reference, reference_ns, ratio

    Exit status: 0 measured; 1 something that was to be measured failed; 64 wrong command line.
    """

func complain(_ message: String) { StandardStream.error.write(message + "\n") }

var groups = BenchmarkGroup.all
var wantsJSON = false
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--help", "-h":
        print(usage)
        exit(0)
    case "--json":
        wantsJSON = true
    case "--only":
        let name = arguments.popFirst() ?? ""
        groups = BenchmarkGroup.all.filter { $0.name == name }
        guard !groups.isEmpty else {
            complain("--only \(name): there is no such group\n\(usage)")
            exit(ExitStatus.usage)
        }
    default:
        complain("\(argument): unknown argument\n\(usage)")
        exit(ExitStatus.usage)
    }
}

do {
    var report = Report(measurements: [])
    for group in groups { report.measurements += try await group.run() }
    print(wantsJSON ? try report.json() : report.table)
} catch {
    complain("login-kiosk-bench: \(error)")
    exit(ExitStatus.failure)
}
