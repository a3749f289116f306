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
            and what it cost. docs/scanner.md describes the manifest. Only an optimised build gives times that mean \
            something.
            With --films the codes of the pictures are filmed: in bad light, with glare that moves, out of focus, around \
            a bottle. Each film is made harder until no frame alone gives a text; then the pipeline sees it whole.
            """)

    @Argument(help: "Manifests of data sets.") var manifests: [String]
    @Flag(
        help: """
            Print an object: per decoder totals by folder and category (read, of, wrong), median_ms, p95_ms, empty_ms, \
            peak_kib, and sequences (lag_frames).
            """) var json = false
    @Flag(help: "Tell on standard error for each picture what each decoder read.") var each = false
    @Option(
        help: ArgumentHelp(
            "Tell how many films of so many pictures are read of which no frame alone gives a text.",
            valueName: "pictures"))
    var films: Int?
    /// Used when this program starts itself: shows each picture once to one decoder.
    @Option(help: .hidden) var peakMemoryOf: Contestant?

    func validate() throws {
        guard films ?? 1 > 0 else { throw ValidationError("--films needs a number above 0.") }
    }

    func run() throws {
        do {
            let sets = try manifests.map { try Manifest(path: $0) }
            if let peakMemoryOf { return print(try PeakMemory.ofThisProcess(with: peakMemoryOf, over: sets)) }
            if let films { return try bench(sets, count: films) }
            var competition = Competition(manifests: sets, contestants: Contestant.allCases) { done, count in
                if done.isMultiple(of: 20) || done == count { note("\(done) of \(count)") }
            }
            if each { competition.onEntry = noteEntry }
            var scores = try competition.run()
            for contestant in Contestant.allCases {
                note("memory of \(contestant.rawValue)")
                scores[contestant]?.peakKib = PeakMemory.measured(of: contestant, manifests: manifests)
            }
            let report = DecodingReport(manifests: manifests, scores: scores)
            print(json ? try report.json() : report.table)
        } catch let error as ManifestError {
            throw Complaint.make("\(error)", status: .dataError)
        }
    }

    private func bench(_ sets: [Manifest], count: Int) throws {
        let bench = FilmBench(manifests: sets, count: count) { entry, kind, strength, frame in
            guard each else { return }
            note("\(entry.file) \(kind) \(strength): \(frame.map { "frame \($0)" } ?? "-")")
        }
        let tallies = try bench.run()
        if json { try JSONOutput.write(tallies) } else { print(FilmBench.table(tallies)) }
    }

    private func noteEntry(_ entry: ManifestEntry, _ contestant: Contestant, _ symbols: [Symbol]) {
        let texts = symbols.map { symbol in
            let bytes = symbol.payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
            return String(decoding: bytes, as: UTF8.self).debugDescription
        }
        note("\(entry.file) \(contestant.rawValue): \(texts.isEmpty ? "-" : texts.joined(separator: " "))")
    }

    private func note(_ text: String) { StandardStream.error.write(text + "\n") }
}

extension Contestant: ExpressibleByArgument {}
