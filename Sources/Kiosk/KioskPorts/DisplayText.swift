// SPDX-License-Identifier: Apache-2.0

/// Text from a server, made safe to show: one line, no control, formatting or direction characters, at most
/// ``maximumLength`` characters. A name from somebody's server must not repaint the screen.
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    public static let maximumLength = 64

    public let description: String

    public init(_ text: some StringProtocol) {
        var clean = ""
        var spaceIsDue = false
        // Each character may hide many combining marks, so scalars are counted, and reading stops early.
        var scalarsLeft = 4 * DisplayText.maximumLength
        for scalar in text.unicodeScalars.prefix(64 * DisplayText.maximumLength) {
            if scalar.properties.isWhitespace {
                spaceIsDue = !clean.isEmpty
                continue
            }
            guard DisplayText.isVisible(scalar) else { continue }
            if spaceIsDue { clean.append(" ") }
            spaceIsDue = false
            clean.unicodeScalars.append(scalar)
            scalarsLeft -= 1
            if scalarsLeft == 0 { break }
        }
        description =
            clean.count > DisplayText.maximumLength ? clean.prefix(DisplayText.maximumLength - 1) + "…" : clean
    }

    public var isEmpty: Bool { description.isEmpty }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        // This character stands for a missing object.
        default: scalar != "\u{FFFC}"
        }
    }
}
