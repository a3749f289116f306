// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The smallest piece of a row, never broken: a character with its accents, or a spelled-out one.
struct DocumentGlyph {
    /// More accents on one letter would grow into the lines above and below.
    static let mostScalars = 8

    let piece: DocumentPiece
    let columns: Int

    var isSpace: Bool { piece == .text(" ") }

    private init(_ piece: DocumentPiece) {
        self.piece = piece
        columns = piece.shown.unicodeScalars.reduce(0) { $0 + $1.mostColumns }
    }

    /// - Parameter scalars: without line feeds.
    static func all(of scalars: Substring.UnicodeScalarView) -> [DocumentGlyph] {
        var glyphs: [DocumentGlyph] = []
        /// The text that is shown unchanged and not yet cut into characters.
        var run = String.UnicodeScalarView()
        func cutRun() {
            for character in String(run) {
                let scalars = character.unicodeScalars
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars.prefix(mostScalars))
                glyphs.append(DocumentGlyph(.text(String(text))))
                glyphs += scalars.dropFirst(mostScalars).map { DocumentGlyph(.mark($0)) }
            }
            run.removeAll()
        }
        for scalar in scalars {
            if scalar.isSpelledOut || run.isEmpty && scalar.isAccent {
                cutRun()
                glyphs.append(DocumentGlyph(.mark(scalar)))
            } else {
                run.append(scalar)
            }
        }
        cutRun()
        return glyphs
    }
}

extension Unicode.Scalar {
    /// The greatest width at which any terminal draws it. Terminals disagree about pictures and East Asian letters,
    /// and the next row would overwrite a row that is too long.
    fileprivate var mostColumns: Int {
        if isAccent { return 0 }
        return value < 0x1100 || (0x1E00...0x22FF).contains(value) ? 1 : 2
    }

    /// Whether it needs a preceding letter. Without one it would join the frame of the document, or a spelling.
    fileprivate var isAccent: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: properties.isGraphemeExtend
        }
    }

    /// Whether it is invisible or hides its effect: control characters, changes of the direction of writing, joiners
    /// and other characters of no width, characters that fonts cannot know, and blank pictures. The mark that opens a
    /// spelling is spelled out too.
    fileprivate var isSpelledOut: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint || self == "‹" || self == "\u{2800}"
        }
    }
}
