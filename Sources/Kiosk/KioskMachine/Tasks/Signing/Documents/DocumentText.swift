// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A text that a person may sign: exactly the bytes that are hashed, and their form on the screen.
///
/// The screen shows the text untrimmed, not normalised, and whole. Characters that are invisible, or change how
/// their neighbours look, are spelled out between the marks `‹` and `›`. The opening mark itself is spelled out too,
/// so that no text can contain a spelling. The text on the screen therefore stands for these bytes and no others
/// (`docs/kiosk.md`, Signing).
public struct DocumentText: Sendable, Hashable {
    /// The greatest number of bytes, more than a person reads at a kiosk.
    public static let maximumLength = 32 * 1024

    /// UTF-8.
    public let bytes: [UInt8]

    /// - Throws: for bytes that are not showable text, too many, or none.
    public init(_ bytes: [UInt8]) throws(DocumentTextError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= DocumentText.maximumLength else { throw .tooLong(bytes.count) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        self.bytes = bytes
    }
}

extension DocumentText {
    /// The document in rows of at most `columns`, broken after spaces if possible. The rows contain every character
    /// except the line feeds, which end rows that are not wrapped.
    func lines(columns: Int) -> [DocumentLine] {
        var lines: [DocumentLine] = []
        // Scalars, because a carriage return and a line feed form one character.
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        for paragraph in scalars.split(separator: "\n", omittingEmptySubsequences: false) {
            var wrapping = DocumentWrapping(columns: columns)
            for glyph in DocumentGlyph.all(of: paragraph) { wrapping.append(glyph) }
            lines += wrapping.finish()
        }
        return lines
    }
}

/// The reason why a text cannot be signed here.
public enum DocumentTextError: Error, Hashable, Sendable {
    case empty
    /// With the number of its bytes.
    case tooLong(Int)
    /// An unreadable text must not be signed.
    case notUTF8
}

extension DocumentTextError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .empty: "there is no text in it"
        case .tooLong(let count):
            "it has \(count) bytes, and more than \(DocumentText.maximumLength) are not shown; sign a shorter text"
        case .notUTF8: "it is not UTF-8, so that it cannot be shown as it is; save it as UTF-8"
        }
    }
}
