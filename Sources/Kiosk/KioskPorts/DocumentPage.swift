// SPDX-License-Identifier: Apache-2.0

/// As much of a document as is shown at a time.
public struct DocumentPage: Sendable, Hashable {
    public let lines: [DocumentLine]
    /// From 1.
    public let number: Int
    /// How many pages the document has.
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
    /// Whether the row goes on below because it is full; else the document has a line feed here, or its end.
    public let isWrapped: Bool

    public init(pieces: [DocumentPiece], isWrapped: Bool) {
        self.pieces = pieces
        self.isWrapped = isWrapped
    }

    /// The text that stands on the screen.
    public var shown: String { pieces.map(\.shown).joined() }
}

/// A stretch of a line of a document.
public enum DocumentPiece: Sendable, Hashable {
    /// Shown as it is.
    case text(String)
    /// Spelled out, because its own picture would be none or a lie.
    case mark(Unicode.Scalar)

    public var isMark: Bool { if case .mark = self { true } else { false } }

    /// The text that stands on the screen.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .mark("\t"): "‹TAB›"
        case .mark("\r"): "‹CR›"
        case .mark(let scalar):
            "‹U+\(String(repeating: "0", count: max(4 - scalar.hexadecimal.count, 0)))\(scalar.hexadecimal)›"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimal: String { String(value, radix: 16, uppercase: true) }
}

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

    public func fits(in room: DocumentPageSize) -> Bool { columns <= room.columns && rows <= room.rows }
}
