// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import MPinVectors

ProgramStart.prepare()

/// Exit statuses as in sysexits.h: 64 for a wrong command line, 66 for input that is not there.
enum ExitStatus {
    static let failure: Int32 = 1
    static let usage: Int32 = 64
    static let noInput: Int32 = 66
}

let usage = """
    usage: login-kiosk-vectors DIRECTORY

    Compares the cryptography with the known answers in the JSON files of DIRECTORY. Prints one line a file,
    `NAME: N passed, N failed` or `NAME: skipped (REASON)`, and the total in the last line. What is wrong with a case
    goes to standard error.

    Exit status: 0 all passed; 1 a case or a file failed; 64 wrong command line; 66 no vectors in DIRECTORY.
    """

func complain(_ message: String) { StandardStream.error.write(message + "\n") }

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") || arguments.contains("-h") {
    print(usage)
    exit(0)
}
guard arguments.count == 1, let path = arguments.first, !path.hasPrefix("-") else {
    complain(usage)
    exit(ExitStatus.usage)
}

let directory = VectorDirectory(path: path)
let names: [String]
do {
    names = try directory.fileNames()
} catch {
    complain("\(path): cannot be listed: \(error.localizedDescription)")
    exit(ExitStatus.noInput)
}

var passedInAll = 0
var failedInAll = 0
var isKnown = false
for name in names {
    let report = directory.check(name)
    switch report.outcome {
    case .skipped(let reason):
        print("\(report.file): skipped (\(reason))")
    case .checked(let passed, let failures):
        isKnown = true
        print("\(report.file): \(passed) passed, \(failures.count) failed")
        failures.forEach(complain)
        passedInAll += passed
        failedInAll += failures.count
    }
}
if !names.isEmpty { print("\(passedInAll) passed, \(failedInAll) failed") }
guard isKnown else {
    complain("\(path): holds no file of vectors that is known here; see login-kiosk-vectors --help")
    exit(ExitStatus.noInput)
}
exit(failedInAll == 0 ? 0 : ExitStatus.failure)
