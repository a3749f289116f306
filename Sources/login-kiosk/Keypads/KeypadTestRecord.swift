// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// One line of `keypad test`.
struct KeypadTestRecord: Encodable {
    enum Event: String, Encodable {
        /// The keypad is there.
        case ready
        case key
        /// Presses that do not count.
        case lost
        case trouble
        /// Something is wrong with the wires, or nothing is.
        case wiring
        /// The keypad is not there.
        case missing
    }

    let version = 1
    let keypad: String
    let event: Event
    /// What the person reads; a digit or character only when it was asked for.
    let text: String

    init(_ keypad: String, _ event: Event, _ text: String) {
        self.keypad = keypad
        self.event = event
        self.text = text
    }

    init(_ keypad: String, _ key: Key, isShown: Bool) {
        let text =
            switch key {
            case .digit(let digit) where isShown: "\(digit)"
            case .character(let character) where isShown: "\(character)"
            case .digit, .character, .enter, .clear, .back, .menu: "\(key)"
            }
        self.init(keypad, .key, text)
    }

    /// For people: keys alone, everything else with what it is.
    var line: String {
        switch event {
        case .key: text
        case .ready: "\(keypad): ready"
        case .lost, .trouble, .wiring, .missing: "\(event.rawValue): \(text)"
        }
    }
}
