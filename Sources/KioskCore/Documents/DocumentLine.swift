// SPDX-License-Identifier: Apache-2.0

/// One row of a document on the screen.
public struct DocumentLine: Sendable, Hashable {
    public let pieces: [DocumentPiece]
    /// Whether the row goes on below because it is full; else the document has a line feed here, or its end.
    public let isWrapped: Bool

    /// What stands on the screen.
    public var shown: String { pieces.map(\.shown).joined() }
}
