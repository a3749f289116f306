// SPDX-License-Identifier: Apache-2.0

/// A text that somebody may sign: exactly the bytes that are hashed, and what is shown of them.
///
/// Nothing is trimmed, normalised or left out on the way to the screen. What has no picture of its own, or changes how its
/// neighbours look, is spelled out between the marks `‹` and `›`; the opening mark itself is spelled out, too, so that nobody
/// can write a spelling. What is shown therefore stands for these bytes and no others
/// (`docs/kiosk.md`, Signing).
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
