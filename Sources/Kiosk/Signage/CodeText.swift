// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The form of an access code for the person who types it, and of an issued code for the person who copies it.
public enum CodeText {
    /// Separates the digits, for a screen without larger letters.
    ///
    /// - Parameter digits: ASCII.
    static func spaced(_ digits: SecretBytes) -> String { grouped(digits, by: 1) }

    /// Groups of four, while it is typed.
    ///
    /// - Parameter code: ASCII.
    public static func grouped(_ code: SecretBytes) -> String { grouped(code, by: 4) }

    /// Groups of three if they come out even, else of four: as people remember digits while they copy them.
    ///
    /// - Parameter digits: ASCII, all of them.
    public static func toCopy(_ digits: SecretBytes) -> String {
        grouped(digits, by: digits.count.isMultiple(of: 3) ? 3 : 4)
    }

    private static func grouped(_ code: SecretBytes, by size: Int) -> String {
        code.withBytes { characters in
            var text = ""
            for index in characters.indices {
                if index > 0, index.isMultiple(of: size) { text.append(" ") }
                text.unicodeScalars.append(Unicode.Scalar(characters[index]))
            }
            return text
        }
    }
}
