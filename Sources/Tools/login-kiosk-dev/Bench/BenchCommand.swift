// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Time the programs' parts against references.",
        discussion: """
            In turn and many times over; prints the medians and the middle 80 per cent of the ratios. Only an \
            optimised build gives figures that mean something: make bench does it all.
            """)

    @Option(help: "Run one group: \(BenchmarkGroup.all.map(\.name).joined(separator: ", ")).") var only: String?
    @Flag(help: "Print an array of objects: name, ours_ns, reference, reference_ns, ratio.") var json = false

    func validate() throws {
        if let only, groups.isEmpty { throw ValidationError("--only \(only): there is no such group") }
    }

    func run() async throws {
        var measurements: [Measurement] = []
        do { for group in groups { measurements += try await group.run() } } catch {
            throw Complaint.make("\(error)", status: .internalError)
        }
        if json { try JSONOutput.write(measurements.objects) } else { print(measurements.table.text) }
    }

    private var groups: [BenchmarkGroup] { BenchmarkGroup.all.filter { only == nil || $0.name == only } }
}

/// Benchmarks that run together. Each group is an extension in its own file.
struct BenchmarkGroup: Sendable {
    /// The name for `--only`.
    var name: String
    var run: @Sendable () async throws -> [Measurement]

    static let all: [BenchmarkGroup] = [.crypto, .login, .backend, .keys]
}
