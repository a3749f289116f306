// SPDX-License-Identifier: Apache-2.0

/// As much of a document as is shown at a time.
public struct DocumentPage: Sendable, Hashable {
    public let lines: [DocumentLine]
    /// From 1.
    public let number: Int
    /// How many pages the document has.
    public let count: Int

    public var isLast: Bool { number == count }
}
