// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskPorts
import LinuxSystem
import LoginValues

struct QRBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qrbench", abstract: "Run data sets of QR codes through the decoders.",
        discussion: """
            The scanner's pipeline, plain zbar and plain zxing-cpp, side by side: what each read, what it read wrong, \
            and what it cost. ManifestEntry.swift describes the manifest. Only an optimised build gives times that mean \
            something.
            """)

    @Argument(help: "Manifests of data sets.") var manifests: [String]
    @Flag(
        help: """
            Print an object: per decoder totals by folder and category (read, of, wrong), median_ms, p95_ms, empty_ms, \
            and sequences (lag_frames).
            """) var json = false
    @Flag(help: "Tell on standard error for each picture what each decoder read.") var each = false

    private struct Document: Encodable {
        var version = 1
        var manifests: [String]
        var decoders: [String: Score]
    }

    func run() throws {
        do {
            let sets = try manifests.map { try Manifest(path: $0) }
            let count = sets.reduce(0) { $0 + $1.entries.count }
            var done = 0
            let scores = try Competition(manifests: sets, contestants: Contestant.allCases) { entry, read in
                if each { for (contestant, symbols) in read { note(entry, contestant, symbols) } }
                done += 1
                if done.isMultiple(of: 20) || done == count { note("\(done) of \(count)") }
            }.run()
            guard json else { return print(Score.table(scores).text) }
            let decoders = Dictionary(uniqueKeysWithValues: scores.map { ($0.key.rawValue, $0.value) })
            try JSONOutput.write(Document(manifests: manifests, decoders: decoders))
        } catch let error as ManifestError {
            throw Complaint.make("\(error)", status: .dataError)
        }
    }

    private func note(_ entry: ManifestEntry, _ contestant: Contestant, _ symbols: [Symbol]) {
        let texts = symbols.map { symbol in
            let bytes = symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
            return String(decoding: bytes, as: UTF8.self).debugDescription
        }
        note("\(entry.file) \(contestant.rawValue): \(texts.isEmpty ? "-" : texts.joined(separator: " "))")
    }

    private func note(_ text: String) { StandardStream.error.write(text + "\n") }
}
