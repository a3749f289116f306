// SPDX-License-Identifier: Apache-2.0

/// What is signed of a document: its SHA-256 digest.
public struct DocumentHash: Sendable, Hashable {
    /// 64 lower-case digits.
    public let hexadecimal: String

    /// - Returns: nil for a text of anything but 64 hexadecimal digits of either case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        hexadecimal = text.lowercased()
    }

    /// The end of it, which people compare: eight digits.
    public var tail: String {
        let digits = hexadecimal.suffix(8)
        return "… \(digits.prefix(4)) \(digits.suffix(4))"
    }
}
