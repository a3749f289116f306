// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Results in columns, for people.
struct ResultTable {
    /// The first row names the columns.
    var rows: [[String]]

    /// One line per row, with the columns below each other.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in text.padding(toLength: width, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").replacing(/\ +$/, with: "")
        }.joined(separator: "\n")
    }
}

extension [Double] {
    /// The sample at `fraction` of the sorted samples, by nearest rank. There must be samples.
    ///
    /// - Parameter fraction: 0...1.
    func percentile(_ fraction: Double) -> Double {
        sorted()[Int((Double(count - 1) * fraction).rounded())]
    }
}
