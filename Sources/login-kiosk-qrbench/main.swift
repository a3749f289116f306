// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

ProgramStart.prepare()

let usage = """
    usage: login-kiosk-qrbench MANIFEST.json ... [--json]

    Runs data sets of QR codes through the scanner's pipeline, plain zbar and plain zxing-cpp, side by side, and prints
    what each read, what it read wrong, and what it cost. docs/scanner.md describes the manifest. Only an optimised
    build gives times that mean something.

      --json   print an object: per decoder totals by folder and category (read, of, wrong), median_ms, p95_ms,
               empty_ms, peak_kib, and sequences (lag_frames)

    Exit status: 0 measured; 1 a data set cannot be run; 64 wrong command line.
    """

func complain(_ message: String) { StandardStream.error.write(message + "\n") }

var paths: [String] = []
var wantsJSON = false
var measured: Contestant?
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    switch argument {
    case "--help", "-h":
        print(usage)
        exit(EXIT_SUCCESS)
    case "--json": wantsJSON = true
    case PeakMemory.option: measured = arguments.popFirst().flatMap(Contestant.init)
    case _ where argument.hasPrefix("-"):
        complain("\(argument): unknown argument\n\(usage)")
        exit(EX_USAGE)
    default: paths.append(argument)
    }
}
guard !paths.isEmpty else {
    complain("there is no manifest to run\n\(usage)")
    exit(EX_USAGE)
}

do {
    let manifests = try paths.map { try Manifest(path: $0) }
    if let measured {
        print(try PeakMemory.ofThisProcess(with: measured, over: manifests))
        exit(EXIT_SUCCESS)
    }
    let competition = Competition(manifests: manifests, contestants: Contestant.allCases) { done, count in
        if done.isMultiple(of: 20) || done == count { complain("\(done) of \(count)") }
    }
    var scores = try competition.run()
    for contestant in Contestant.allCases {
        complain("memory of \(contestant.rawValue)")
        scores[contestant]?.peakKib = PeakMemory.measured(of: contestant, manifests: paths)
    }
    let report = Report(manifests: paths, scores: scores)
    print(wantsJSON ? try report.json() : report.table)
} catch {
    complain("login-kiosk-qrbench: \(error)")
    exit(EXIT_FAILURE)
}
