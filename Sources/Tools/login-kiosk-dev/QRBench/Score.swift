// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result of one decoder.
struct Score: Encodable {
    var totals = Totals()
    /// Processor time for a picture with a code in view: the median.
    var medianMs: Double?
    /// Processor time for a picture with a code in view: the 95th percentile.
    var p95Ms: Double?
    /// Processor time for a camera's frame with nothing in view: the mean.
    var emptyMs: Double?
    /// The results of sequences, by file.
    var sequences: [String: SequenceScore] = [:]
    /// Files that broke their rule, or whose text was not read.
    var missed: [String] = []

    enum CodingKeys: String, CodingKey {
        case totals, sequences, missed
        case medianMs = "median_ms"
        case p95Ms = "p95_ms"
        case emptyMs = "empty_ms"
    }

    /// One row per folder and category, one column per decoder.
    static func table(_ scores: [Contestant: Score]) -> ResultTable {
        let contestants = Contestant.allCases.filter { scores[$0] != nil }
        var rows = [[""] + contestants.map(\.rawValue)]
        func append(_ name: String, _ cell: (Score) -> String?) {
            let cells = contestants.map { scores[$0].flatMap(cell) ?? "-" }
            if cells.contains(where: { $0 != "-" }) { rows.append([name] + cells) }
        }
        for (prefix, path) in [("", \Totals.category), ("folder ", \Totals.folder)] {
            let names = Set(scores.values.flatMap { $0.totals[keyPath: path].keys }).sorted()
            for name in names { append(prefix + name) { $0.totals[keyPath: path][name].map(\.text) } }
        }
        for (name, path) in [("median ms", \Score.medianMs), ("p95 ms", \.p95Ms), ("empty ms", \.emptyMs)] {
            append(name) { $0[keyPath: path].map { String(format: "%.2f", $0) } }
        }
        for file in Set(scores.values.flatMap(\.sequences.keys)).sorted() {
            append("lag " + file) { $0.sequences[file].map { $0.lagFrames.map { "\($0) frames" } ?? "not read" } }
        }
        return ResultTable(rows: rows)
    }
}

/// The time until a code was read in a clip.
struct SequenceScore: Encodable, Equatable {
    /// Frames from the first that any reference reads to the first that this decoder read; nil when it read none.
    var lagFrames: Int?
    /// Number of frames whose text was read.
    var framesRead = 0

    enum CodingKeys: String, CodingKey {
        case lagFrames = "lag_frames"
        case framesRead = "frames_read"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // Null instead of no member: a clip that was not read must differ from one without a measurement.
        try container.encode(lagFrames, forKey: .lagFrames)
        try container.encode(framesRead, forKey: .framesRead)
    }
}

/// Counts over all manifests.
struct Totals: Encodable, Equatable {
    /// Counts by the file's first folder.
    var folder: [String: Tally] = [:]
    var category: [String: Tally] = [:]

    mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        folder[entry.folder, default: Tally()].add(verdict, for: entry)
        category[entry.category, default: Tally()].add(verdict, for: entry)
    }
}

/// Counts of a folder or category.
struct Tally: Encodable, Equatable {
    /// Pictures whose expected text was read.
    var read = 0
    /// Pictures with an expected text.
    var of = 0
    /// Texts that were read and are not in the picture, and all texts where nothing should be read.
    var wrong = 0
    /// Texts of photographs that were read besides an expected one and are not labelled.
    var unlisted = 0
    /// Pictures that met their rule.
    var met = 0
    /// All pictures.
    var images = 0

    mutating func add(_ verdict: Verdict, for entry: ManifestEntry) {
        read += verdict.isRead ? 1 : 0
        of += entry.rule.asksForText ? 1 : 0
        wrong += verdict.wrong
        unlisted += verdict.unlisted
        met += verdict.isMet ? 1 : 0
        images += 1
    }

    /// The counts as a cell of the table.
    var text: String {
        var words = of > 0 ? ["\(read)/\(of)"] : []
        if images > of || met != read { words.append("rules \(met)/\(images)") }
        if wrong > 0 { words.append("wrong \(wrong)") }
        return words.joined(separator: " ")
    }
}
