// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// An access code, or one that activates, while it is typed by hand. Each edit makes a new buffer, and the old one
/// wipes itself.
struct CodeEntry: Sendable {
    /// Twice the length of the longest code that servers issue: 32 hexadecimal digits.
    static let capacity = 64

    private(set) var text = SecretBytes(copying: [])
    private var tap = MultiTap(.code)

    var isEmpty: Bool { text.count == 0 }

    /// - Parameter tapsLetters: whether the digits of a number pad stand for letters.
    mutating func press(_ digit: UInt8, tapsLetters: Bool) {
        guard tapsLetters else { return append(Character(Unicode.Scalar(UInt8(ascii: "0") + min(digit, 9)))) }
        switch tap.press(digit) {
        case .append(let character):
            if text.count < CodeEntry.capacity { set(text.count, adding: character) } else { tap.accept() }
        case .replaceLast(let character): set(max(text.count - 1, 0), adding: character)
        }
    }

    /// Adds a character of a keyboard, if a code may contain it.
    mutating func append(_ character: Character) {
        tap.accept()
        guard text.count < CodeEntry.capacity, AccessCode(String(character)) != nil else { return }
        set(text.count, adding: character)
    }

    /// - Returns: false when nothing was typed.
    mutating func removeLast() -> Bool {
        tap.accept()
        guard !isEmpty else { return false }
        set(text.count - 1)
        return true
    }

    mutating func removeAll() {
        tap.accept()
        set(0)
    }

    /// Replaces everything typed.
    mutating func replace(with code: SecretBytes) {
        tap.accept()
        text = code
    }

    /// Whether these bytes could have been typed as a code.
    static func accepts(_ code: SecretBytes) -> Bool {
        (1...capacity).contains(code.count)
            && code.withBytes { bytes in
                bytes.indices.allSatisfy { AccessCode(String(Character(Unicode.Scalar(bytes[$0])))) != nil }
            }
    }

    mutating func acceptTap() { tap.accept() }

    /// Keeps the first `count` characters, and adds one.
    private mutating func set(_ count: Int, adding character: Character? = nil) {
        let added = character?.asciiValue
        text = text.withBytes { old in
            SecretBytes(count: count + (added == nil ? 0 : 1)) { new in
                for index in 0..<count { new[index] = old[index] }
                if let added { new[count] = added }
            }
        }
    }
}
