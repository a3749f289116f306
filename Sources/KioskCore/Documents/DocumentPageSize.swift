// SPDX-License-Identifier: Apache-2.0

/// Columns and rows of a page of a document. Every screen shows the same pages.
public struct DocumentPageSize: Sendable, Hashable {
    /// Fits a terminal of 80 columns and 24 rows beside title and keys, and is read on the page from a step away.
    public static let standard = DocumentPageSize(columns: 60, rows: 10)
    /// Wide enough for the longest spelling of a character.
    public static let smallest = DocumentPageSize(columns: 16, rows: 2)

    public let columns: Int
    public let rows: Int

    /// Moved up to ``smallest``.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 16)
        self.rows = max(rows, 2)
    }
}
