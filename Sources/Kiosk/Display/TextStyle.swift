// SPDX-License-Identifier: Apache-2.0

/// The look of a text.
struct TextStyle: Sendable, Hashable {
    enum Face: Sendable, Hashable {
        case words
        /// Every character has the same width.
        case rows
    }

    /// Weights, as CSS numbers them.
    static let regular = 400
    static let semibold = 600
    static let bold = 700

    /// Pixels of an em.
    var size: Int
    var weight: Int
    var face = Face.words

    init(_ size: Int, _ weight: Int = TextStyle.regular, _ face: Face = .words) {
        self.size = size
        self.weight = weight
        self.face = face
    }
}

/// The room that a text takes, in pixels.
struct TextSize: Sendable, Hashable {
    let width: Int
    let height: Int
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

/// The breaks of lines in a text with addresses.
enum Wording {
    static let breakable: Character = "\u{200B}"
    private static let joiner: Character = "\u{2060}"

    /// The text with its addresses in one piece where a line holds them, otherwise with breaks after `@ . - / :`.
    static func prepared(_ text: String, _ style: TextStyle, width: Int, _ measure: PangoText) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            guard word.contains(where: { "@.-/:".contains($0) }) else { return String(word) }
            let fits = measure.size(of: String(word), style, width: nil).width <= width
            guard fits else { return String(word.flatMap { "@.-/:".contains($0) ? [$0, breakable] : [$0] }) }
            // A short word, such as "e-mail" or a command, is not worth a break either.
            let isWhole = word.count <= 11 || word.dropLast().contains { "@.".contains($0) }
            guard isWhole, let last = word.last else { return String(word) }
            return String(word.dropLast().flatMap { "-/:".contains($0) ? [$0, joiner] : [$0] }) + String(last)
        }.joined(separator: " ")
    }
}
