// SPDX-License-Identifier: Apache-2.0

/// A source of keys.
///
/// A keypad is considered available until it reports otherwise. It takes no keys from a device that other programs can
/// read too.
public protocol Keypad: Sendable {
    /// The keypad's reports from now on, for one consumer. Do not ask for a second stream while one is open.
    ///
    /// The stream holds a bounded number of reports and drops the newest beyond it. It ends when the device is gone
    /// for good. Cancelling the consumer releases the device.
    func reports() -> AsyncStream<KeypadReport>

    /// Names of its keys for the screens; the likely ones while the device is missing.
    var keyNames: KeyNames { get }
}

extension Keypad {
    public var keyNames: KeyNames { .terminal }

    /// The presses alone.
    public func presses() -> AsyncCompactMapSequence<AsyncStream<KeypadReport>, KeyPress> {
        reports().compactMap { $0.press }
    }
}

/// A report of a keypad.
public enum KeypadReport: Hashable, Sendable {
    case pressed(KeyPress)
    /// Presses may be missing here, or could not be distinguished, so the typed text is not what the person meant. The
    /// text is for the log.
    case keysLost(String)
    /// Keys come.
    case available
    /// No keys come until it is available again; the text is for the log.
    case unavailable(String)
    /// A fault for the operator; the text is for the log. Keys still come.
    case trouble(String)

    public var press: KeyPress? { if case .pressed(let press) = self { press } else { nil } }
}

/// A key of a PIN pad or a keyboard.
public enum Key: Hashable, Sendable {
    /// 0...9
    case digit(UInt8)
    case enter
    /// Clears the typed text.
    case clear
    /// Removes the last character; leaves if there is none.
    case back
    case menu
    /// A printable character other than a digit, on devices with letters.
    case character(Character)
}

extension Key: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Reveals that a digit was pressed, but never which: it may belong to a PIN.
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
    /// The meaning of the key when a PIN is asked for: with Shift a digit is a sign elsewhere.
    public let keyAtPIN: Key
    /// Whether it came together with other keys faster than a hand types: pasted or injected. Such keys never enter a
    /// PIN.
    public let isBurst: Bool
    /// The view that showed the key; nil for keys that are always there.
    public let touched: TouchedView?

    /// - Parameter keyAtPIN: nil is `key`.
    public init(_ key: Key, atPIN keyAtPIN: Key? = nil, isBurst: Bool = false, touched: TouchedView? = nil) {
        self.key = key
        self.keyAtPIN = keyAtPIN ?? key
        self.isBurst = isBurst
        self.touched = touched
    }
}
