// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// The lines of a text that an operator writes and the kiosk obeys: trust lists and settings.
///
/// A line ends with LF; one CR before it belongs to the end. Every other control character but the tab is refused:
/// editors, terminals and libraries disagree on where such a line ends, and an operator could see another text than
/// the kiosk.
enum TextLines {
    struct ControlCharacter: Error, Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        let line: Int
        let scalar: Unicode.Scalar

        var description: String { "a control character, \(scalar.codePoint); lines end with LF or CR LF" }
    }

    /// - Returns: the lines without their ends. A final LF does not begin another line.
    static func split(_ text: some StringProtocol) throws(ControlCharacter) -> [Substring] {
        // Splits scalars: to Swift CR LF is one character, and a sign with an accent differs from the sign.
        var lines = Substring(text).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isEnded = index < lines.count - 1
            let content = isEnded && line.last == "\r" ? line.dropLast() : line
            if let scalar = content.first(where: isRefused) {
                throw ControlCharacter(line: index + 1, scalar: scalar)
            }
            lines[index] = content
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { Substring($0) }
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar != "\t"
        case .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
