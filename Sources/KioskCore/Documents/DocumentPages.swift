// SPDX-License-Identifier: Apache-2.0

/// A document cut into pages: no character is lost between them.
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
