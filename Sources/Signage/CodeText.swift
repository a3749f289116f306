// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// How an access code is shown to whoever types it, and a code that was issued to whoever copies it.
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

    /// In fours, as people copy such things.
    ///
    /// - Parameter code: ASCII.
    public static func grouped(_ code: SecretBytes) -> String {
        code.withBytes { characters in
            var text = ""
            for index in characters.indices {
                if index > 0, index % 4 == 0 { text.append(" ") }
                text.unicodeScalars.append(Unicode.Scalar(characters[index]))
            }
            return text
        }
    }
}
