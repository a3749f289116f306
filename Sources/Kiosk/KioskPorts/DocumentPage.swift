// SPDX-License-Identifier: Apache-2.0

/// One page of a document.
public struct DocumentPage: Sendable, Hashable {
    public let lines: [DocumentLine]
    /// The page's number, from 1.
    public let number: Int
    /// The number of pages in the document.
    public let count: Int

    public var isLast: Bool { number == count }

    /// - Parameters:
    ///   - number: from 1 to `count`.
    public init(lines: [DocumentLine], number: Int, count: Int) {
        self.lines = lines
        self.number = number
        self.count = count
    }
}

/// One row of a document on the screen.
public struct DocumentLine: Sendable, Hashable {
    public let pieces: [DocumentPiece]
    /// Whether the row continues below because it is full. Otherwise the document has a line feed here, or ends.
    public let isWrapped: Bool

    public init(pieces: [DocumentPiece], isWrapped: Bool) {
        self.pieces = pieces
        self.isWrapped = isWrapped
    }

    /// The text on the screen.
    public var shown: String { pieces.map(\.shown).joined() }
}

/// A stretch of a line of a document.
public enum DocumentPiece: Sendable, Hashable {
    /// Shown unchanged.
    case text(String)
    /// Spelled out, because it is invisible or its glyph would deceive.
    case mark(Unicode.Scalar)

    public var isMark: Bool { if case .mark = self { true } else { false } }

    /// The text on the screen.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .mark("\t"): "‹TAB›"
        case .mark("\r"): "‹CR›"
        case .mark(let scalar): "‹\(scalar.codePoint)›"
        }
    }
}

/// Columns and rows of a page of a document.
public struct DocumentPageSize: Sendable, Hashable {
    /// Readable on the web page from a step away.
    public static let standard = DocumentPageSize(columns: 60, rows: 10)
    /// Wide enough for the longest spelling of a character.
    public static let smallest = DocumentPageSize(columns: 16, rows: 2)

    public let columns: Int
    public let rows: Int

    /// Raises values to those of ``smallest``.
    public init(columns: Int, rows: Int) {
        self.columns = max(columns, 16)
        self.rows = max(rows, 2)
    }

    public func fits(in room: DocumentPageSize) -> Bool { columns <= room.columns && rows <= room.rows }
}
