// SPDX-License-Identifier: Apache-2.0

extension DocumentText {
    /// The document in rows of at most `columns`, broken behind spaces where that is possible. Every character is in one of
    /// them, but for the line feeds between rows that are not wrapped.
    func lines(columns: Int) -> [DocumentLine] {
        var lines: [DocumentLine] = []
        // Scalars, because a carriage return before a line feed makes one character of both.
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        for paragraph in scalars.split(separator: "\n", omittingEmptySubsequences: false) {
            var wrapping = DocumentWrapping(columns: columns)
            for glyph in DocumentGlyph.all(of: paragraph) { wrapping.append(glyph) }
            lines += wrapping.finish()
        }
        return lines
    }
}
