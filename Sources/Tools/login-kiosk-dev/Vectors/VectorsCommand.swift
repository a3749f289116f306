// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import LinuxSystem
import MPinVectors

struct VectorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vectors", abstract: "Compare the cryptography with known answers.",
        discussion: """
            With those in the JSON files of a directory. Prints one line a file, `NAME: N passed, N failed` or `NAME: \
            skipped (REASON)`, and the total in the last line. What is wrong with a case goes to standard error, and \
            the exit code is 1 then.
            """)

    @Argument(help: "The directory.") var directory: String

    func run() throws {
        let vectors = VectorDirectory(path: directory)
        let names: [String]
        do { names = try vectors.fileNames() } catch {
            throw Complaint.make("\(directory): cannot be listed: \(error.localizedDescription)", status: .noInput)
        }
        var (passedInAll, failedInAll, isKnown) = (0, 0, false)
        for name in names {
            let report = vectors.check(name)
            switch report.outcome {
            case .skipped(let reason): print("\(report.file): skipped (\(reason))")
            case .checked(let passed, let failures):
                isKnown = true
                print("\(report.file): \(passed) passed, \(failures.count) failed")
                for failure in failures { StandardStream.error.write(failure + "\n") }
                passedInAll += passed
                failedInAll += failures.count
            }
        }
        if !names.isEmpty { print("\(passedInAll) passed, \(failedInAll) failed") }
        guard isKnown else {
            throw Complaint.make("\(directory): holds no file of vectors that is known here", status: .noInput)
        }
        if failedInAll > 0 { throw ExitCode.failure }
    }
}
