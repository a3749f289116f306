// SPDX-License-Identifier: Apache-2.0

/// Text being typed: printable ASCII, bounded.
struct TextEntry: Hashable, Sendable {
    let capacity: Int
    private(set) var text: String

    init(capacity: Int, text: String = "") {
        self.capacity = capacity
        self.text = ""
        for character in text { append(character) }
    }

    var isEmpty: Bool { text.isEmpty }

    mutating func append(_ character: Character) {
        guard text.utf8.count < capacity, let byte = character.asciiValue, (0x20...0x7E).contains(byte) else { return }
        text.append(character)
    }

    mutating func append(digit: UInt8) { append(Character(Unicode.Scalar(UInt8(ascii: "0") + min(digit, 9)))) }

    mutating func removeLast() { _ = text.popLast() }
    mutating func removeAll() { text = "" }
}
