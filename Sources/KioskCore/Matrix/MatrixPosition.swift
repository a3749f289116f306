// SPDX-License-Identifier: Apache-2.0

/// A place in a matrix of keys, where a row's wire and a column's wire cross; both count from 0.
public struct MatrixPosition: Hashable, Sendable {
    public let row: Int
    public let column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Counts from 1, as people do. It tells which key is meant, so it must not go to a log while somebody types.
extension MatrixPosition: CustomStringConvertible {
    public var description: String { "row \(row + 1), column \(column + 1)" }
}
