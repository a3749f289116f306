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

/// A wire of a matrix of keys; both kinds count from 0.
public enum MatrixWire: Hashable, Sendable {
    case row(Int)
    case column(Int)
}

/// Counts from 1, as people do.
extension MatrixWire: CustomStringConvertible {
    public var description: String {
        switch self {
        case .row(let index): "row \(index + 1)"
        case .column(let index): "column \(index + 1)"
        }
    }
}

extension MatrixSize {
    /// Rows, then columns; where a wire is given as a bit, its number is the place in this list.
    public var wires: [MatrixWire] { (0..<rows).map { .row($0) } + (0..<columns).map { .column($0) } }
}

/// A place in a matrix of keys, where a row's wire and a column's wire cross; both count from 0.
public struct MatrixPosition: Hashable, Sendable {
    public let row: Int
    public let column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Counts from 1, as people do. It tells which key is meant, so it must not go to a log while a person types.
extension MatrixPosition: CustomStringConvertible {
    public var description: String { "row \(row + 1), column \(column + 1)" }
}
