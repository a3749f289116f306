// SPDX-License-Identifier: Apache-2.0

/// Colours and sizes of a drawn screen, in landscape and portrait: of the page for a browser and of the panel.
public enum ScreenStyle {
    /// The length of the panel's short side, in grid units. All sizes are in grid units.
    public static let shortSide = 24.0

    /// A colour, written `#rrggbb`. The first six are those of the moods, by the names of ``Tone``.
    public enum Colour: String, Sendable, CaseIterable {
        case ready = "#5cc8ff"
        case working = "#8fb4ff"
        case ask = "#ffd75e"
        case success = "#4be08a"
        case failure = "#ff8080"
        case trouble = "#ffb14a"
        case ground = "#0a0f1c"
        /// The background of keys.
        case raised = "#18213a"
        /// The background of a keyboard's keys, and of the names of keys.
        case cap = "#2c3857"
        /// Around what is raised.
        case edge = "#4a587c"
        case text = "#f6f8fc"
        case quiet = "#bcc6da"
        /// The edge of a key that agrees, and its ground, on which text has a contrast of 7:1.
        case yes = "#1f9d57"
        case yesGround = "#0b6135"
        /// The edge of a key that declines or deletes, and its ground.
        case no = "#d0413f"
        case noGround = "#8f1f1d"
        case clear = "#f2c230"
        /// Text on `clear`.
        case ink = "#1a1200"

        /// The colour in its place for people who need high contrast: black, white, and yellow keys with black words.
        /// Moods keep theirs.
        public var highContrast: String {
            switch self {
            case .ready, .working, .ask, .success, .failure, .trouble: rawValue
            case .ground, .raised, .cap, .ink: "#000000"
            case .edge, .text, .quiet: "#ffffff"
            case .yes, .yesGround, .no, .noGround, .clear: "#ffe100"
            }
        }

        /// Red, green and blue, from 0 to 255.
        public func parts(highContrast isHigh: Bool = false) -> [UInt8] {
            let number = UInt32((isHigh ? highContrast : rawValue).dropFirst(), radix: 16) ?? 0
            return [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
    }

    /// The factor of all letters in large text.
    public static let largeText = 1.3

    /// A size in grid units.
    public enum Size: String, Sendable, CaseIterable {
        case margin, gap
        /// The least height of a key.
        case key
        /// Sizes of letters: of the title, of what OK agrees to, of sentences and keys, and of digits.
        case title, agreed, sentence, digits
        /// The smallest letters of a title and of a sentence, where there is little room.
        case leastTitle, leastSentence
        /// The sign of an outcome.
        case sign

        /// Whether it is a size of letters, which large text enlarges.
        public var isOfLetters: Bool {
            switch self {
            case .title, .agreed, .sentence, .digits, .leastTitle, .leastSentence: true
            case .margin, .gap, .key, .sign: false
            }
        }

        public var units: Double {
            switch self {
            case .margin: 1.5
            case .gap: 0.75
            case .key: 3.2
            case .title: 2.1
            case .agreed: 1.6
            case .sentence: 1.25
            case .digits: 2.4
            case .leastTitle: 1.6
            case .leastSentence: 1.2
            case .sign: 6
            }
        }
    }
}

/// The look of a drawn screen, for people who see little.
public struct ScreenLook: Sendable, Hashable {
    public static let usual = ScreenLook()

    public var hasLargeText: Bool
    public var hasHighContrast: Bool

    public init(hasLargeText: Bool = false, hasHighContrast: Bool = false) {
        self.hasLargeText = hasLargeText
        self.hasHighContrast = hasHighContrast
    }

    /// The look after this one when the key is pressed; it cycles through all four.
    public var next: ScreenLook {
        // Large text comes first, because most people want it.
        ScreenLook(hasLargeText: !hasHighContrast, hasHighContrast: hasLargeText)
    }
}
