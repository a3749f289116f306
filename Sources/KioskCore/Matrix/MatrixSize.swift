// SPDX-License-Identifier: Apache-2.0

/// How many wires a matrix of keys has: 1...16 rows and 1...16 columns.
public struct MatrixSize: Hashable, Sendable {
    public static let range = 1...16

    public let rows: Int
    public let columns: Int

    /// - Returns: nil when there are too few wires, or too many.
    public init?(rows: Int, columns: Int) {
        guard MatrixSize.range.contains(rows), MatrixSize.range.contains(columns) else { return nil }
        self.rows = rows
        self.columns = columns
    }

    /// Row by row, from the upper left, as one reads.
    public var positions: [MatrixPosition] {
        (0..<rows).flatMap { row in (0..<columns).map { MatrixPosition(row: row, column: $0) } }
    }

    public func contains(_ position: MatrixPosition) -> Bool {
        (0..<rows).contains(position.row) && (0..<columns).contains(position.column)
    }
}
