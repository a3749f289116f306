// SPDX-License-Identifier: Apache-2.0

/// The keyboard of a touch screen, where people of a language look for its keys.
public enum TouchKeyboard {
    /// Digits, then three rows of letters. Addresses and codes are ASCII: letters that no field takes have no keys.
    public static func rows(language: String) -> [String] {
        let letters =
            switch language {
            case "de": ["qwertzuiop", "asdfghjkl", "yxcvbnm"]
            case "fr": ["azertyuiop", "qsdfghjklm", "wxcvbn"]
            default: ["qwertyuiop", "asdfghjkl", "zxcvbnm"]
            }
        return ["1234567890"] + letters
    }

    /// The signs of addresses, in the row below the letters.
    public static let signs = "@.-_+"
}
