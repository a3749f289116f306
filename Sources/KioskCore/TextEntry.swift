// SPDX-License-Identifier: Apache-2.0

/// Text being typed: printable ASCII, bounded.
///
/// Letters come from a keyboard, or from the digits of a number pad (``MultiTap``). A keyboard shows itself by its first
/// letter: then the digits that came before it were digits.
struct TextEntry: Hashable, Sendable {
    private struct Typed: Hashable {
        var character: Character
        /// The digits that were pressed for it on a number pad; none for a character that came as it is.
        var presses: [UInt8] = []
    }

    let capacity: Int
    /// Whether the digits of a number pad are tapped for letters.
    private(set) var tapsLetters: Bool
    private(set) var hasKeyboard = false
    private var typed: [Typed] = []
    private var tap = MultiTap(.address)

    init(capacity: Int, text: String = "", tapsLetters: Bool = false) {
        self.capacity = capacity
        self.tapsLetters = tapsLetters
        for character in text { appendAsItIs(character) }
    }

    var text: String { String(typed.map(\.character)) }
    var isEmpty: Bool { typed.isEmpty }
    /// Whether the last character stands only after a moment.
    var isTapPending: Bool { tap.isPending }

    /// A character of a keyboard.
    mutating func append(_ character: Character) {
        if !hasKeyboard, TextEntry.isPrintable(character) {
            hasKeyboard = true
            let revised = typed.flatMap { typed in
                typed.presses.isEmpty ? [typed] : typed.presses.map { Typed(character: TextEntry.character($0)) }
            }
            typed = Array(revised.prefix(capacity))
        }
        appendAsItIs(character)
    }

    /// A digit of a keyboard or a number pad.
    mutating func press(_ digit: UInt8) {
        guard tapsLetters, !hasKeyboard else { return appendAsItIs(TextEntry.character(digit)) }
        switch tap.press(digit) {
        case .append(let character):
            guard typed.count < capacity else { return tap.accept() }
            typed.append(Typed(character: character, presses: [digit]))
        case .replaceLast(let character):
            guard let last = typed.indices.last else { return }
            typed[last].character = character
            if typed[last].presses.count < capacity { typed[last].presses.append(digit) }
        }
    }

    mutating func acceptTap() { tap.accept() }

    mutating func switchPad() {
        tap.accept()
        tapsLetters.toggle()
    }

    mutating func removeLast() {
        tap.accept()
        _ = typed.popLast()
    }

    mutating func removeAll() {
        tap.accept()
        typed = []
    }

    /// Takes the place of everything typed; how it is typed on stays.
    mutating func replace(with text: String) {
        removeAll()
        for character in text { appendAsItIs(character) }
    }

    private mutating func appendAsItIs(_ character: Character) {
        tap.accept()
        guard typed.count < capacity, TextEntry.isPrintable(character) else { return }
        typed.append(Typed(character: character))
    }

    private static func isPrintable(_ character: Character) -> Bool {
        character.asciiValue.map { (0x20...0x7E).contains($0) } ?? false
    }

    private static func character(_ digit: UInt8) -> Character {
        Character(Unicode.Scalar(UInt8(ascii: "0") + min(digit, 9)))
    }
}
