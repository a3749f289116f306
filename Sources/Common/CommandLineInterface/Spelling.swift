// SPDX-License-Identifier: Apache-2.0

/// Finds the word that somebody probably meant.
struct Spelling {
    private static let longest = 32

    private let words: [String]

    init(_ words: [String]) { self.words = words }

    /// - Returns: the word with the fewest letters that are missing, added, wrong or exchanged with their neighbour;
    ///   nil when more than a third of its letters are.
    func nearest(to text: String) -> String? {
        guard text.count <= Spelling.longest else { return nil }
        let near = words.map { (word: $0, mistakes: Spelling.mistakes(Array(text), Array($0))) }
            .min { $0.mistakes < $1.mistakes }
        guard let near, near.mistakes <= max(near.word.count / 3, 1) else { return nil }
        return near.word
    }

    private static func mistakes(_ text: [Character], _ word: [Character]) -> Int {
        var earlier: [Int] = []
        var above = Array(0...word.count)
        for (row, letter) in text.enumerated() {
            var line = [row + 1]
            for (column, wanted) in word.enumerated() {
                var least = min(above[column + 1] + 1, line[column] + 1, above[column] + (letter == wanted ? 0 : 1))
                if row > 0, column > 0, letter == word[column - 1], text[row - 1] == wanted {
                    least = min(least, earlier[column - 1] + 1)
                }
                line.append(least)
            }
            (earlier, above) = (above, line)
        }
        return above[word.count]
    }
}
