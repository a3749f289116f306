// SPDX-License-Identifier: Apache-2.0

/// The number of wires of a key matrix: 1...16 rows and 1...16 columns.
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

    /// All positions, row by row from the upper left.
    public var positions: [MatrixPosition] {
        (0..<rows).flatMap { row in (0..<columns).map { MatrixPosition(row: row, column: $0) } }
    }

    public func contains(_ position: MatrixPosition) -> Bool {
        (0..<rows).contains(position.row) && (0..<columns).contains(position.column)
    }
}

/// A wire of a key matrix; rows and columns count from 0.
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
    /// Rows, then columns. A wire's bit number is its index in this list.
    public var wires: [MatrixWire] { (0..<rows).map { .row($0) } + (0..<columns).map { .column($0) } }
}

/// A position in a key matrix, where a row's wire and a column's wire cross; both count from 0.
public struct MatrixPosition: Hashable, Sendable {
    public let row: Int
    public let column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Counts from 1, as people do. It identifies the key, so it must not be logged while a person types.
extension MatrixPosition: CustomStringConvertible {
    public var description: String { "row \(row + 1), column \(column + 1)" }
}
