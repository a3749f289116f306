// SPDX-License-Identifier: Apache-2.0

/// A key of a PIN pad or a keyboard.
public enum Key: Hashable, Sendable {
    /// 0...9
    case digit(UInt8)
    case enter
    /// Forgets what was typed.
    case clear
    /// Takes the last character back; with nothing typed, leaves.
    case back
    case menu
    /// A printable character that is no digit, where the device has letters.
    case character(Character)
}

extension Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that a digit was pressed, never which: it may belong to a PIN.
    public var description: String {
        switch self {
        case .digit: "a digit"
        case .enter: "enter"
        case .clear: "clear"
        case .back: "back"
        case .menu: "menu"
        case .character: "a character"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
