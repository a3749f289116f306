// SPDX-License-Identifier: Apache-2.0

/// A stretch of a line of a document.
public enum DocumentPiece: Sendable, Hashable {
    /// Shown as it is.
    case text(String)
    /// Spelled out, because its own picture would be none or a lie.
    case mark(Unicode.Scalar)

    public var isMark: Bool { if case .mark = self { true } else { false } }

    /// What stands on the screen.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .mark("\t"): "‹TAB›"
        case .mark("\r"): "‹CR›"
        case .mark(let scalar):
            "‹U+\(String(repeating: "0", count: max(4 - scalar.hexadecimal.count, 0)))\(scalar.hexadecimal)›"
        }
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimal: String { String(value, radix: 16, uppercase: true) }
}
