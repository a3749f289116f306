// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The measurements of a run, for people or programs.
struct BenchReport {
    var measurements: [Measurement]

    /// One line per measurement: time, and ratio to the reference with the limits of its middle 80 per cent.
    var table: String {
        let header = ["", "ours", "reference", "", "ratio", "spread", ""]
        let rows: [[String]] = [header] + measurements.map(Self.row)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in text.padding(toLength: width, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").replacing(/\ +$/, with: "")
        }.joined(separator: "\n")
    }

    private static func row(_ measurement: Measurement) -> [String] {
        [
            measurement.name, time(measurement.ours.median), measurement.reference ?? "",
            measurement.referenceTime.map { time($0.median) } ?? "",
            measurement.ratio.map { number($0.median) } ?? "",
            measurement.ratio.map { "\(number($0.low)) ... \(number($0.high))" } ?? "",
            measurement.figures.map(\.text).joined(separator: ", "),
        ]
    }

    /// An array of objects with `name`, `ours_ns` and, with a reference, `reference`, `reference_ns` and `ratio`.
    /// Times are medians. A measurement's figures are members with their own names.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(measurements.map(Entry.init)), as: UTF8.self)
    }

    private struct Entry: Encodable {
        var name: String
        var oursNs: Double
        var reference: String?
        var referenceNs: Double?
        var ratio: Double?
        var figures: [Figure]

        enum CodingKeys: String, CodingKey {
            case name
            case oursNs = "ours_ns"
            case reference
            case referenceNs = "reference_ns"
            case ratio
        }

        private struct FigureKey: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(name, forKey: .name)
            try members.encode(oursNs, forKey: .oursNs)
            try members.encodeIfPresent(reference, forKey: .reference)
            try members.encodeIfPresent(referenceNs, forKey: .referenceNs)
            try members.encodeIfPresent(ratio, forKey: .ratio)
            var others = encoder.container(keyedBy: FigureKey.self)
            for figure in figures { try others.encode(figure.value, forKey: FigureKey(stringValue: figure.name)) }
        }

        init(_ measurement: Measurement) {
            figures = measurement.figures
            name = measurement.name
            oursNs = measurement.ours.median
            reference = measurement.reference
            referenceNs = measurement.referenceTime?.median
            ratio = measurement.ratio?.median
        }
    }

    /// The time in a suitable unit.
    static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: String(format: "%.1f ns", nanoseconds)
        case ..<1_000_000: String(format: "%.2f us", nanoseconds / 1_000)
        default: String(format: "%.2f ms", nanoseconds / 1_000_000)
        }
    }

    private static func number(_ ratio: Double) -> String { String(format: "%.3f", ratio) }
}
