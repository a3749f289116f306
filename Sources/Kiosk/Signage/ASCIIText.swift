// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Text for terminals that show ASCII only.
enum ASCIIText {
    /// Transliterates a text to ASCII: ä is ae, é is e, ж is zh. Any other character is its code point, such as
    /// `<U+20AC>`: nothing is left out of a document that is signed.
    static func transliterated(_ text: String) -> String {
        var ascii = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                ascii.unicodeScalars.append(scalar)
            } else if let spelling = spellings[scalar] {
                ascii += spelling
            } else {
                ascii += "<\(scalar.codePoint)>"
            }
        }
        return ascii
    }

    private static let spellings: [Unicode.Scalar: String] = {
        var spellings: [Unicode.Scalar: String] = [:]
        for (scalars, spelling) in groups {
            for scalar in scalars.unicodeScalars { spellings[scalar] = spelling }
        }
        // Bulgaria's law on transliteration.
        let cyrillic = [
            "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "ѝ": "i",
            "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
            "у": "u", "ф": "f", "х": "h", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sht", "ъ": "a", "ь": "y", "ю": "yu",
            "я": "ya",
        ]
        for (letter, spelling) in cyrillic {
            for scalar in letter.unicodeScalars { spellings[scalar] = spelling }
            for scalar in letter.uppercased().unicodeScalars {
                spellings[scalar] = spelling.prefix(1).uppercased() + spelling.dropFirst()
            }
        }
        return spellings
    }()

    private static let groups: [(scalars: String, spelling: String)] = [
        ("ÀÁÂÃÅ", "A"), ("Ä", "Ae"), ("Æ", "Ae"), ("Ç", "C"), ("ÈÉÊË", "E"), ("ÌÍÎÏ", "I"), ("Ñ", "N"), ("ÒÓÔÕØ", "O"),
        ("ÖŒ", "Oe"), ("ÙÚÛ", "U"), ("Ü", "Ue"), ("ÝŸ", "Y"), ("àáâãå", "a"), ("äæ", "ae"), ("ç", "c"), ("èéêë", "e"),
        ("ìíîï", "i"), ("ñ", "n"), ("òóôõø", "o"), ("öœ", "oe"), ("ùúû", "u"), ("ü", "ue"), ("ýÿ", "y"), ("ß", "ss"),
        ("¿", "?"), ("¡", "!"), ("‘’‚", "'"), ("“”„«»", "\""), ("‹", "<"), ("›", ">"), ("–—", "-"), ("…", "..."),
        ("\u{a0}\u{202f}\u{2009}", " "),
    ]
}
