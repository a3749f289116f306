// SPDX-License-Identifier: Apache-2.0

/// Where keys come from.
///
/// A keypad is taken as available until it says that it is not. It takes no key from a device that other programs
/// can hear too.
public protocol Keypad: Sendable {
    /// The keypad's reports from now on, for one consumer. The same pad is not asked twice at a time.
    ///
    /// The stream holds a bounded number of reports and drops the newest beyond it. It ends when the device is gone for
    /// good, and the device is released when the consumer is cancelled.
    func reports() -> AsyncStream<KeypadReport>

    /// Names of its keys, for the screens; of a device that is not there yet, the likely ones.
    var keyNames: KeyNames { get }
}

extension Keypad {
    public var keyNames: KeyNames { .terminal }

    /// The presses alone, for a caller that needs nothing else.
    public func presses() -> AsyncCompactMapSequence<AsyncStream<KeypadReport>, KeyPress> {
        reports().compactMap { $0.press }
    }
}

/// A report of a keypad.
public enum KeypadReport: Hashable, Sendable {
    case pressed(KeyPress)
    /// Presses may be missing here, or could not be told apart: what was typed is not what was meant. The text is
    /// for the log.
    case keysLost(String)
    /// Keys come.
    case available
    /// No keys come, until it is available again; the text is for the log.
    case unavailable(String)
    /// Something that an operator should know; the text is for the log. Keys come all the same.
    case trouble(String)

    public var press: KeyPress? { if case .pressed(let press) = self { press } else { nil } }
}

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

/// One press of a key.
public struct KeyPress: Hashable, Sendable {
    public let key: Key
    /// The key that it is where a PIN is asked: a digit with Shift is a sign elsewhere.
    public let keyAtPIN: Key
    /// Whether it came together with other keys faster than a hand types: pasted or injected. No PIN is
    /// taken from such.
    public let isBurst: Bool

    /// - Parameter keyAtPIN: `key` unless told.
    public init(_ key: Key, atPIN keyAtPIN: Key? = nil, isBurst: Bool = false) {
        self.key = key
        self.keyAtPIN = keyAtPIN ?? key
        self.isBurst = isBurst
    }
}
