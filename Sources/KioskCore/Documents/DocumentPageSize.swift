// SPDX-License-Identifier: Apache-2.0

/// Columns and rows of a page of a document.
public struct DocumentPageSize: Sendable, Hashable {
    /// Is read on the web page from a step away.
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

    func fits(in room: DocumentPageSize) -> Bool { columns <= room.columns && rows <= room.rows }
}
