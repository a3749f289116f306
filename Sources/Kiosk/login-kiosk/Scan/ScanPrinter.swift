// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import KioskPorts
import LinuxSystem

/// Prints the scanner's reports.
struct ScanPrinter: Sendable {
    let asJSON: Bool
    let withStatistics: Bool
    /// Whether a source that fails later may work again.
    let mayComeBack: Bool

    /// Runs until the reports end.
    ///
    /// - Throws: when the source fails, or at the end when pictures of it were left out.
    func run(_ reports: AsyncStream<SymbolSourceReport>) async throws {
        var symbols = SymbolsInView()
        var hasWorked = false
        var isInTrouble = false
        var hasSkipped = false
        for await report in reports {
            switch report {
            case .available(let camera):
                if asJSON { try JSONOutput.write(ScanRecord.running(camera: camera)) }
                if isInTrouble { note("pictures come again") }
                (hasWorked, isInTrouble) = (true, false)
            case .unavailable(let trouble):
                // A slow camera, or a program that does not film yet, may still start.
                guard mayComeBack, hasWorked || [.silent, .undecodable].contains(trouble.kind) else {
                    throw Complaint.make(trouble.reason, status: .noInput)
                }
                if asJSON { try JSONOutput.write(ScanRecord.trouble(trouble)) }
                note("no pictures: \(trouble)")
                isInTrouble = true
            case .symbol(let symbol):
                guard symbols.isNew(symbol) else { continue }
                try print(symbol)
            case .hint(let advice): if asJSON { try JSONOutput.write(ScanRecord.hint(advice)) }
            case .statistics(let statistics): if withStatistics { try print(statistics) }
            case .looking(let duration): note("still looking at a picture, for \(duration.text)")
            case .skipped(let trouble):
                if asJSON { try JSONOutput.write(ScanRecord.skipped(trouble)) }
                note("left out: \(trouble)")
                hasSkipped = true
            case .passedOver(let reasons):
                for reason in reasons {
                    if asJSON { try JSONOutput.write(ScanRecord.passedOver(reason: reason)) }
                    note("passed over: \(reason)")
                }
            }
        }
        if hasSkipped {
            throw Complaint.make(
                "not all pictures could be read", hint: "they are named above", status: .dataError)
        }
    }

    private func note(_ text: String) {
        StandardStream.error.write("\(Complaint.program): \(text)\n")
    }

    private func print(_ symbol: Symbol) throws {
        if asJSON { return try JSONOutput.write(ScanRecord.symbol(symbol)) }
        try Output.write(PrintableText(symbol).line + "\n")
    }

    private func print(_ statistics: ScannerStatistics) throws {
        if asJSON { return try JSONOutput.write(ScanRecord.statistics(statistics)) }
        let line =
            "frames \(statistics.frames), dropped \(statistics.dropped), damaged \(statistics.damaged), "
            + "flawed \(statistics.flawed), symbols \(statistics.symbols), "
            + "repeats \(statistics.repeats), decoding \(statistics.decoding.text)\n"
        StandardStream.error.write(line)
    }
}
