// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The result of one benchmark. Times are nanoseconds an operation.
struct Measurement: Sendable {
    var name: String
    var ours: Spread
    var reference: String?
    var referenceTime: Spread?
    /// The ratio to the reference, pair by pair. A pair runs within milliseconds, so that a machine whose speed
    /// drifts slows both halves.
    var ratio: Spread?
    var figures: [Figure] = []

    /// - Parameters:
    ///   - samples: nanoseconds, not empty.
    ///   - referenceSamples: each was taken together with the sample of the same index. Empty without a reference.
    init(
        _ name: String, _ samples: [Double], reference: String? = nil, _ referenceSamples: [Double] = [],
        figures: [Figure] = []
    ) {
        self.name = name
        ours = Spread(of: samples)
        self.reference = reference
        if reference != nil {
            referenceTime = Spread(of: referenceSamples)
            ratio = Spread(of: zip(samples, referenceSamples).map { $0 / $1 })
        }
        self.figures = figures
    }
}

/// A value besides the time: a word in the table's last column, a member in JSON.
struct Figure: Sendable {
    /// The member's name, with its unit: `per_second`.
    var name: String
    var value: Double
    /// The value with its unit, for people: `120 a second`.
    var text: String
}

/// The median of many samples, and their first and last deciles.
struct Spread: Sendable {
    var low: Double
    var median: Double
    var high: Double

    /// `samples` must not be empty.
    init(of samples: [Double]) {
        low = samples.percentile(0.1)
        median = samples.percentile(0.5)
        high = samples.percentile(0.9)
    }
}

extension [Measurement] {
    /// One row per measurement: time, and ratio to the reference with the limits of its middle 80 per cent.
    var table: ResultTable {
        ResultTable(
            rows: [["", "ours", "reference", "", "ratio", "spread", ""]]
                + map { one in
                    [
                        one.name, Measurement.text(one.ours.median), one.reference ?? "",
                        one.referenceTime.map { Measurement.text($0.median) } ?? "",
                        one.ratio.map { String(format: "%.3f", $0.median) } ?? "",
                        one.ratio.map { String(format: "%.3f ... %.3f", $0.low, $0.high) } ?? "",
                        one.figures.map(\.text).joined(separator: ", "),
                    ]
                })
    }

    /// Objects with `name`, `ours_ns` and, with a reference, `reference`, `reference_ns` and `ratio`. Times are
    /// medians. A measurement's figures are members with their own names.
    var objects: [[String: JSONMember]] {
        map { one in
            var members: [String: JSONMember] = ["name": .text(one.name), "ours_ns": .number(one.ours.median)]
            members["reference"] = one.reference.map { .text($0) }
            members["reference_ns"] = (one.referenceTime?.median).map { .number($0) }
            members["ratio"] = (one.ratio?.median).map { .number($0) }
            for figure in one.figures { members[figure.name] = .number(figure.value) }
            return members
        }
    }
}

/// A value in a report.
enum JSONMember: Encodable {
    case text(String)
    case number(Double)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}

extension Measurement {
    /// A time in a suitable unit.
    static func text(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: String(format: "%.1f ns", nanoseconds)
        case ..<1_000_000: String(format: "%.2f us", nanoseconds / 1_000)
        default: String(format: "%.2f ms", nanoseconds / 1_000_000)
        }
    }
}
