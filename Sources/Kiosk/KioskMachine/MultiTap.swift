// SPDX-License-Identifier: Apache-2.0

/// Letters on a number pad: pressing a key again within a moment gives its next character, the digit last.
///
/// The caller holds the text and makes the edits, so that the text may be a secret.
public struct MultiTap: Hashable, Sendable {
    /// The characters of the text; letters are lower case.
    public enum Layout: Sendable {
        /// An e-mail address: the 1 has the signs.
        case address
        /// An access code.
        case code
    }

    public enum Edit: Hashable, Sendable {
        case append(Character)
        /// The last character becomes this one.
        case replaceLast(Character)
    }

    private struct Tap: Hashable {
        var digit: Int
        var place: Int
    }

    private let layout: Layout
    private var tap: Tap?

    public init(_ layout: Layout) { self.layout = layout }

    /// Whether another press of the same key would change the last character.
    public var isPending: Bool { tap != nil }

    /// - Parameter digit: 0...9; greater values are treated as 9.
    public mutating func press(_ digit: UInt8) -> Edit {
        let digit = Int(min(digit, 9))
        let characters = MultiTap.characters(of: digit, layout)
        let isAgain = tap?.digit == digit
        let place = isAgain ? ((tap?.place ?? 0) + 1) % characters.count : 0
        // A key with one character has no other to change to.
        tap = characters.count > 1 ? Tap(digit: digit, place: place) : nil
        return isAgain ? .replaceLast(characters[place]) : .append(characters[place])
    }

    /// Keeps the last character: a moment has passed, or it was removed.
    public mutating func accept() { tap = nil }

    private static func characters(of digit: Int, _ layout: Layout) -> [Character] {
        if digit == 1 { return layout == .address ? [".", "@", "-", "_", "+", "1"] : ["-", "_", "1"] }
        return letters[digit]
    }

    /// ITU-T E.161.
    private static let letters: [[Character]] = [
        "0", "1", "abc2", "def3", "ghi4", "jkl5", "mno6", "pqrs7", "tuv8", "wxyz9",
    ].map(Array.init)
}
