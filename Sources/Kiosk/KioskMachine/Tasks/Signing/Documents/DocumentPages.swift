// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A document cut into pages without losing a character.
public struct DocumentPages: Sendable, Hashable {
    public let document: DocumentText
    public let size: DocumentPageSize
    private let lines: [DocumentLine]

    public init(_ document: DocumentText, size: DocumentPageSize) {
        self.document = document
        self.size = size
        lines = document.lines(columns: size.columns)
    }

    /// At least one.
    public var count: Int { (lines.count + size.rows - 1) / size.rows }

    /// - Parameter index: from 0 to below ``count``.
    public subscript(index: Int) -> DocumentPage {
        DocumentPage(
            lines: Array(lines.dropFirst(index * size.rows).prefix(size.rows)), number: index + 1, count: count)
    }
}

/// Fills rows with a paragraph, word by word. Spaces belong to the word before them.
struct DocumentWrapping {
    let columns: Int
    private var lines: [DocumentLine] = []
    private var row: [DocumentGlyph] = []
    private var rowColumns = 0
    private var word: [DocumentGlyph] = []

    init(columns: Int) { self.columns = columns }

    mutating func append(_ glyph: DocumentGlyph) {
        if word.last?.isSpace == true, !glyph.isSpace { placeWord() }
        word.append(glyph)
    }

    /// - Returns: at least one line; the last is not wrapped.
    mutating func finish() -> [DocumentLine] {
        placeWord()
        endRow(isWrapped: false)
        return lines
    }

    private mutating func placeWord() {
        let wordColumns = word.reduce(0) { $0 + $1.columns }
        if !row.isEmpty, rowColumns + wordColumns > columns { endRow(isWrapped: true) }
        for glyph in word {
            if !row.isEmpty, rowColumns + glyph.columns > columns { endRow(isWrapped: true) }
            row.append(glyph)
            rowColumns += glyph.columns
        }
        word.removeAll()
    }

    private mutating func endRow(isWrapped: Bool) {
        var pieces: [DocumentPiece] = []
        for glyph in row {
            if case .text(let before) = pieces.last, case .text(let text) = glyph.piece {
                pieces[pieces.count - 1] = .text(before + text)
            } else {
                pieces.append(glyph.piece)
            }
        }
        lines.append(DocumentLine(pieces: pieces, isWrapped: isWrapped))
        row.removeAll()
        rowColumns = 0
    }
}
