// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

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

extension DisplayView.Keyboard {
    /// The keyboard of panel and page.
    ///
    /// - Returns: nil for a view in which nothing is typed.
    public init?(_ view: KioskView, in catalogue: PromptCatalogue, domains: [String] = []) {
        guard view.entry != nil else { return nil }
        let rows = TouchKeyboard.rows(language: catalogue.language) + [TouchKeyboard.signs]
        switch view.stage {
        case .pin, .newPIN, .newPINAgain, .serviceChoice, .documentChoice: self.init()
        case .identityChoice where view.lines.contains { $0.key == .listEntry }: self.init()
        case .identityEntry:
            self.init(rows: rows, domains: Array(domains.prefix(Self.mostDomains)), showsLetters: true)
        case .identityChoice, .codeEntry, .activationEntry:
            self.init(
                rows: rows, toLetters: catalogue.text(Prompt(.actionLetters)),
                toDigits: catalogue.text(Prompt(.actionDigits)))
        default: return nil
        }
    }
}
