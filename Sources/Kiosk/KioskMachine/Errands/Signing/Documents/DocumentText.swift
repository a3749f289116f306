// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A text that a person may sign: exactly the bytes that are hashed, and what is shown of them.
///
/// Nothing is trimmed, normalised or left out on the way to the screen. What has no picture of its own, or changes how
/// its neighbours look, is spelled out between the marks `‹` and `›`; the opening mark itself is spelled out, too, so
/// that no text can contain a spelling. What is shown therefore stands for these bytes and no others (`docs/kiosk.md`,
/// Signing).
public struct DocumentText: Sendable, Hashable {
    /// Of the bytes. More than a person reads at a kiosk.
    public static let maximumLength = 32 * 1024

    /// UTF-8.
    public let bytes: [UInt8]

    /// - Throws: for bytes that cannot be shown as text, or are none, or too many.
    public init(_ bytes: [UInt8]) throws(DocumentTextError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= DocumentText.maximumLength else { throw .tooLong(bytes.count) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        self.bytes = bytes
    }
}

extension DocumentText {
    /// The document in rows of at most `columns`, broken behind spaces where that is possible. Every character is in
    /// one of them, but for the line feeds between rows that are not wrapped.
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

/// Why a text cannot be signed here.
public enum DocumentTextError: Error, Hashable, Sendable {
    case empty
    /// With the number of its bytes.
    case tooLong(Int)
    /// A text that cannot be read must not be signed.
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
