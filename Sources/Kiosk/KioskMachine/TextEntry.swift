// SPDX-License-Identifier: Apache-2.0

/// Text being typed: printable ASCII, bounded.
///
/// Letters come from a keyboard, or from the digits of a number pad (``MultiTap``). The first letter reveals a
/// keyboard: then the digits before it were digits.
struct TextEntry: Hashable, Sendable {
    let capacity: Int
    /// Whether the digits of a number pad are tapped for letters.
    private(set) var tapsLetters: Bool
    private(set) var hasKeyboard = false
    private(set) var text = ""
    /// For each character the digits pressed for it on a number pad; none for a character of a keyboard.
    private var presses: [[UInt8]] = []
    private var tap = MultiTap(.address)

    init(capacity: Int, text: String = "", tapsLetters: Bool = false) {
        self.capacity = capacity
        self.tapsLetters = tapsLetters
        for character in text { appendAsItIs(character) }
    }

    var isEmpty: Bool { presses.isEmpty }
    /// Whether the last character may still change.
    var isTapPending: Bool { tap.isPending }

    /// Adds a character of a keyboard.
    mutating func append(_ character: Character) {
        if !hasKeyboard, TextEntry.isPrintable(character) {
            hasKeyboard = true
            let before = zip(text, presses)
            removeAll()
            for (character, digits) in before {
                if digits.isEmpty { appendAsItIs(character) }
                for digit in digits { appendAsItIs(TextEntry.character(digit)) }
            }
        }
        appendAsItIs(character)
    }

    /// Adds a digit of a keyboard or a number pad.
    mutating func press(_ digit: UInt8) {
        guard tapsLetters, !hasKeyboard else { return appendAsItIs(TextEntry.character(digit)) }
        switch tap.press(digit) {
        case .append(let character):
            guard presses.count < capacity else { return tap.accept() }
            text.append(character)
            presses.append([digit])
        case .replaceLast(let character):
            guard let last = presses.indices.last else { return }
            text.removeLast()
            text.append(character)
            if presses[last].count < capacity { presses[last].append(digit) }
        }
    }

    mutating func acceptTap() { tap.accept() }

    mutating func switchPad() {
        tap.accept()
        tapsLetters.toggle()
    }

    mutating func removeLast() {
        tap.accept()
        _ = text.popLast()
        _ = presses.popLast()
    }

    mutating func removeAll() {
        tap.accept()
        text = ""
        presses = []
    }

    /// Replaces everything typed; the way of typing stays.
    mutating func replace(with text: String) {
        removeAll()
        for character in text { appendAsItIs(character) }
    }

    private mutating func appendAsItIs(_ character: Character) {
        tap.accept()
        guard presses.count < capacity, TextEntry.isPrintable(character) else { return }
        text.append(character)
        presses.append([])
    }

    private static func isPrintable(_ character: Character) -> Bool {
        character.asciiValue.map { (0x20...0x7E).contains($0) } ?? false
    }

    private static func character(_ digit: UInt8) -> Character {
        Character(Unicode.Scalar(UInt8(ascii: "0") + min(digit, 9)))
    }
}
