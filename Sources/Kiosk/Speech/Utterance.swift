// SPDX-License-Identifier: Apache-2.0

/// Text to be spoken at once.
struct Utterance: Sendable, Equatable {
    /// Longer than any page of a document on a usual screen.
    static let longest = 4000

    let text: String
    /// BCP 47, for example `en`.
    let language: String
    /// Within `SpeechRequest.volumes`.
    let volume: Int
    /// Whether it waits for the end of the one before.
    let waits: Bool

    /// - Parameter sentences: each gets a pause behind it.
    init(_ sentences: [String], language: String, volume: Int, waits: Bool = false) {
        let text = sentences.map { sentence in
            let isOpen = sentence.last.map { $0.isLetter || $0.isNumber } ?? false
            return isOpen ? "\(sentence)." : sentence
        }.joined(separator: "\n")
        self.text = Utterance.plain(text)
        self.language = language
        self.volume = volume
        self.waits = waits
    }

    /// Text that the program only speaks. `[[` would begin phonemes of the writer's choice, and control characters
    /// commands.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n": plain.unicodeScalars.append(scalar)
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                plain += " "
            default: plain += scalar == "[" || scalar == "]" ? " " : String(scalar)
            }
        }
        return plain
    }
}
