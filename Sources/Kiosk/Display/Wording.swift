// SPDX-License-Identifier: Apache-2.0

/// The breaks of lines in a text with addresses.
enum Wording {
    static let breakable: Character = "\u{200B}"
    private static let joiner: Character = "\u{2060}"
    private static let signs = "@.-/:"
    /// A longer word is worth a break.
    private static let shortWord = 11

    /// The text with its addresses in one piece where a line holds them, otherwise with breaks after `@ . - / :`.
    static func prepared(_ text: String, _ style: TextStyle, width: Int, _ measure: PangoText) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard word.contains(where: signs.contains) else { return String(word) }
            let fits = measure.size(of: String(word), style, width: nil).width <= width
            return fits ? joined(word) : String(word.flatMap { signs.contains($0) ? [$0, breakable] : [$0] })
        }.joined(separator: " ")
    }

    /// The word in one piece, unless it is a long one with hyphens, slashes or colons alone.
    private static func joined(_ word: Substring) -> String {
        // A short word, such as "e-mail" or a command, is not worth a break either.
        let isWhole = word.count <= shortWord || word.dropLast().contains { "@.".contains($0) }
        guard isWhole, let last = word.last else { return String(word) }
        return String(word.dropLast().flatMap { "-/:".contains($0) ? [$0, joiner] : [$0] }) + String(last)
    }
}

extension PangoText {
    /// The width of the widest part of a text that is not broken between two lines.
    func widestWord(of text: String, _ style: TextStyle) -> Int {
        text.split { $0 == " " || $0 == Wording.breakable }
            .map { size(of: String($0), style, width: nil).width }.max() ?? 0
    }

    /// Whether a word has to be torn to fit the width.
    func tears(_ text: String, _ style: TextStyle, width: Int) -> Bool { widestWord(of: text, style) > width }
}
