// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One line of `keypad test`.
struct KeypadTestRecord: Encodable {
    enum Event: String, Encodable {
        /// The keypad is available.
        case ready
        case key
        /// Presses that are ignored.
        case lost
        case trouble
        /// A fault in the wires, or none.
        case wiring
        /// The keypad is missing.
        case missing
    }

    let version = 1
    let keypad: String
    let event: Event
    /// The text for the person. It contains a digit or character only if that was asked for.
    let text: String

    init(_ keypad: String, _ event: Event, _ text: String) {
        self.keypad = keypad
        self.event = event
        self.text = text
    }

    init(_ keypad: String, _ press: KeyPress, isShown: Bool) {
        func text(_ key: Key) -> String {
            switch key {
            case .digit(let digit) where isShown: "\(digit)"
            case .character(let character) where isShown: "\(character)"
            case .digit, .character, .enter, .clear, .back, .menu: "\(key)"
            }
        }
        let atPIN = press.keyAtPIN == press.key ? "" : ", \(text(press.keyAtPIN)) where a PIN is asked"
        self.init(keypad, .key, text(press.key) + atPIN + (press.isBurst ? ", too fast for a hand" : ""))
    }

    /// For people: keys alone, everything else with its kind.
    var line: String {
        switch event {
        case .key: text
        case .ready: "\(keypad): ready"
        case .lost, .trouble, .wiring, .missing: "\(event.rawValue): \(text)"
        }
    }
}
