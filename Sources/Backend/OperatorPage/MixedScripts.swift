// SPDX-License-Identifier: Apache-2.0

/// Finds user ids that may look like another: a word has letters of two scripts with similar shapes, such as `pаypal`
/// with a Cyrillic `а`.
///
/// This is a simple form of Unicode's single-script restriction ([UTS 39], section 5.2). Scripts with distinct
/// shapes, such as kana and Han, may be mixed. Two words in different scripts are allowed: `борис@example.com`. A
/// whole word in letters of one script that resemble another's is not found.
///
/// [UTS 39]: https://www.unicode.org/reports/tr39/#Restriction_Level_Detection
enum MixedScripts {
    /// The scripts with letters that people confuse.
    enum Script { case latin, greek, cyrillic, armenian, cherokee }

    /// Whether a word has letters of two such scripts. A word ends at a character that is not a letter, mark or digit.
    static func areIn(_ text: String) -> Bool {
        var script: Script?
        for scalar in text.unicodeScalars {
            guard isOfWord(scalar) else {
                script = nil
                continue
            }
            guard let other = Self.script(of: scalar) else { continue }
            if let script, script != other { return true }
            script = other
        }
        return false
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// The script by Unicode blocks, because Swift has no property for it. Nil for other scripts, and for characters
    /// of all scripts, such as digits and accents.
    private static func script(of scalar: Unicode.Scalar) -> Script? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x1D00...0x1D25,
            0x1D2C...0x1D5C, 0x1D62...0x1D65, 0x1D6B...0x1D77, 0x1D79...0x1DBE, 0x1E00...0x1EFF, 0x2071, 0x207F,
            0x2090...0x209C, 0x212A...0x212B, 0x2132, 0x214E, 0x2160...0x2188, 0x2C60...0x2C7F, 0xA722...0xA7FF,
            0xAB30...0xAB64, 0xFB00...0xFB06, 0xFF21...0xFF3A, 0xFF41...0xFF5A, 0x1D400...0x1D6A5:
            .latin
        // Coptic letters have Greek shapes.
        case 0x370...0x373, 0x376...0x37D, 0x37F, 0x386, 0x388...0x3FF, 0x1D26...0x1D2A, 0x1D5D...0x1D61,
            0x1D66...0x1D6A, 0x1DBF, 0x1F00...0x1FFF, 0x2126, 0x2C80...0x2CFF, 0xAB65, 0x1D6A8...0x1D7CB:
            .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x1D2B, 0x1D78, 0x2DE0...0x2DFF, 0xA640...0xA69F, 0x1E030...0x1E08F:
            .cyrillic
        case 0x531...0x58A, 0xFB13...0xFB17: .armenian
        case 0x13A0...0x13FF, 0xAB70...0xABBF: .cherokee
        default: nil
        }
    }
}
