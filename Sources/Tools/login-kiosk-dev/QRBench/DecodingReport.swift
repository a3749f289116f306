// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result, for people or programs.
struct DecodingReport {
    let manifests: [String]
    let scores: [Contestant: Score]

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let decoders = Dictionary(uniqueKeysWithValues: scores.map { ($0.key.rawValue, $0.value) })
        let content = Content(version: 1, manifests: manifests, decoders: decoders)
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }

    /// One row per folder and category, one column per decoder.
    var table: String {
        let contestants = Contestant.allCases.filter { scores[$0] != nil }
        var rows = [[""] + contestants.map(\.rawValue)]
        func append(_ name: String, _ cell: (Score) -> String?) {
            let cells = contestants.map { scores[$0].flatMap(cell) ?? "-" }
            if cells.contains(where: { $0 != "-" }) { rows.append([name] + cells) }
        }
        for (prefix, path) in [("", \Totals.category), ("folder ", \Totals.folder)] {
            let names = Set(scores.values.flatMap { $0.totals[keyPath: path].keys }).sorted()
            for name in names { append(prefix + name) { $0.totals[keyPath: path][name].map(DecodingReport.cell) } }
        }
        append("median ms") { $0.medianMs.map(DecodingReport.number) }
        append("p95 ms") { $0.p95Ms.map(DecodingReport.number) }
        append("empty ms") { $0.emptyMs.map(DecodingReport.number) }
        append("peak KiB") { $0.peakKib.map(String.init) }
        for file in Set(scores.values.flatMap(\.sequences.keys)).sorted() {
            append("lag " + file) { $0.sequences[file].map { $0.lagFrames.map { "\($0) frames" } ?? "not read" } }
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in text.padding(toLength: width, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }.joined(separator: "\n")
    }

    private static func cell(_ tally: Tally) -> String {
        var text = tally.of > 0 ? "\(tally.read)/\(tally.of)" : ""
        if tally.images > tally.of || tally.met != tally.read { text += " rules \(tally.met)/\(tally.images)" }
        if tally.wrong > 0 { text += " wrong \(tally.wrong)" }
        return text.trimmingCharacters(in: .whitespaces)
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }

    private struct Content: Encodable {
        var version: Int
        var manifests: [String]
        var decoders: [String: Score]
    }
}
