// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// How an access code is shown to the person who types it, and an issued code to the person who copies it.
public enum CodeText {
    /// Apart from each other, for a screen whose letters cannot be larger.
    ///
    /// - Parameter digits: ASCII.
    static func spaced(_ digits: SecretBytes) -> String {
        digits.withBytes { characters in
            var text = ""
            for index in characters.indices {
                if index > 0 { text.append(" ") }
                text.unicodeScalars.append(Unicode.Scalar(characters[index]))
            }
            return text
        }
    }

    /// In fours, while it is typed.
    ///
    /// - Parameter code: ASCII.
    public static func grouped(_ code: SecretBytes) -> String { grouped(code, by: 4) }

    /// In threes where they come out even, else in fours: as people say them to themselves while they copy them.
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
