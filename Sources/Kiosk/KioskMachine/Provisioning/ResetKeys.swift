// SPDX-License-Identifier: Apache-2.0

/// The operator's keys for a reset: keys that every pad has, and more than anybody presses by chance.
public struct ResetKeys: Sendable {
    public static let counts = 6...16

    public let keys: [KnownKey]

    /// - Parameter text: digits, and `enter`, `clear`, `back` and `menu`, separated by spaces.
    /// - Returns: nil for too few or too many, for other words, and for one key repeated.
    public init?(_ text: String) {
        var keys: [KnownKey] = []
        for word in text.split(separator: " ") {
            switch word {
            case "enter": keys.append(.enter)
            case "clear": keys.append(.clear)
            case "back": keys.append(.back)
            case "menu": keys.append(.menu)
            default:
                let digits = word.compactMap { $0.isASCII ? $0.wholeNumberValue : nil }
                guard digits.count == word.count else { return nil }
                keys += digits.map { .digit(UInt8($0)) }
            }
        }
        guard ResetKeys.counts.contains(keys.count), Set(keys).count >= 3 else { return nil }
        self.keys = keys
    }
}
