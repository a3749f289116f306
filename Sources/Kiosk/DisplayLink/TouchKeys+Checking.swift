// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Signage

/// Keys that the display names and that cannot be those that it had to draw.
struct KeysFault: Error, CustomStringConvertible {
    let description: String
}

extension TouchKeys {
    /// Checks the keys that the display names for a view, and finds their effects.
    ///
    /// - Parameters:
    ///   - sent: the view as it was sent.
    ///   - old: the keys so far: those that stay keep their age.
    /// - Throws: when these keys cannot be what was sent: another order of digits, a key twice, one over another.
    init(
        _ places: [KeyPlace], of view: KioskView, sent: DisplayView, on panel: Panel,
        _ rotation: DisplaySettings.Rotation, after old: TouchKeys?, at now: Duration
    ) throws(KeysFault) {
        let actions = view.atItsKeys.actions
        let subject = KeySubject(view)
        let former = old?.subject == subject ? old?.keys : nil
        var keys: [TouchKey] = []
        for place in places {
            try TouchKeys.checkRoom(for: place, beside: keys, on: panel)
            guard let effect = TouchKey.Effect(of: place.key, among: actions, sent.keyboard) else {
                throw KeysFault(description: "a key is not of its view")
            }
            let same = former?.first { $0.place == place && $0.effect == effect }
            keys.append(TouchKey(place, effect, since: same?.since ?? now))
        }
        try TouchKeys.checkOrder(of: keys, pad: sent.keyboard?.pad ?? [])
        self.init(
            of: view, subject: subject, width: panel.width, height: panel.height, rotation: rotation, keys: keys)
    }

    /// The key of a kiosk at rest: a touch anywhere wakes it. The display has no say in it, and the key is pressed
    /// however young it is, for it does nothing else.
    init(atRest view: KioskView, on panel: Panel, _ rotation: DisplaySettings.Rotation) {
        let whole = KeyPlace(.ofView(0), x: 0, y: 0, width: panel.width, height: panel.height)
        self.init(
            of: view, subject: KeySubject(view), width: panel.width, height: panel.height, rotation: rotation,
            keys: [TouchKey(whole, .press(.back, label: nil), since: .zero)])
    }

    /// Checks that a key is on the panel, once, and over no other key.
    private static func checkRoom(
        for place: KeyPlace, beside keys: [TouchKey], on panel: Panel
    ) throws(KeysFault) {
        guard place.x + place.width <= panel.width, place.y + place.height <= panel.height else {
            throw KeysFault(description: "a key is outside of the panel")
        }
        for other in keys {
            guard other.place.key != place.key else { throw KeysFault(description: "a key is there twice") }
            guard !other.place.overlaps(place) else { throw KeysFault(description: "a key is over another") }
        }
    }

    /// Checks that digits and characters stand in their order, row by row, and the answers to a question too.
    private static func checkOrder(of keys: [TouchKey], pad: [Int]) throws(KeysFault) {
        func inOrder(_ wanted: [KeyPlace.Key]) -> Bool {
            let places = wanted.compactMap { key in keys.first { $0.place.key == key }?.place }
            return zip(places, places.dropFirst()).allSatisfy { $0.isBefore($1) }
        }
        let answers = keys.compactMap { key -> Int? in
            guard case .press(let pressed, _?) = key.effect, pressed == .enter || pressed == .back,
                case .ofView(let index) = key.place.key
            else { return nil }
            return index
        }.sorted()
        let hasKeyboard = keys.contains { $0.effect.isTyped }
        guard inOrder(pad.map { .digit($0) }), inOrder((0..<DisplayMessage.mostKeys).map { .character($0) }),
            hasKeyboard || inOrder(answers.map { .ofView($0) })
        else { throw KeysFault(description: "the keys are in another order") }
    }
}

extension TouchKey.Effect {
    /// Finds the effect of a key that the display names.
    ///
    /// - Returns: nil for a key that the view does not have.
    fileprivate init?(of key: KeyPlace.Key, among actions: [ViewAction], _ keyboard: DisplayView.Keyboard?) {
        switch (key, keyboard) {
        case (.ofView(let index), _) where actions.indices.contains(index):
            self = .press(actions[index].key, label: actions[index].label)
        case (.digit(let digit), let keyboard?) where !keyboard.showsLetters:
            self = .press(.digit(UInt8(digit)), label: nil)
        case (.character(let index), let keyboard?) where keyboard.showsLetters:
            let characters = Array(keyboard.rows.joined())
            guard index < characters.count else { return nil }
            self = .press(.character(characters[index]), label: nil)
        case (.domain(let index), let keyboard?) where index < keyboard.domains.count:
            self = .domain(keyboard.domains[index])
        case (.otherKeyboard, let keyboard?) where !keyboard.toLetters.isEmpty: self = .otherKeyboard
        default: return nil
        }
    }

    /// Whether the key types a digit or a character.
    fileprivate var isTyped: Bool { if case .press(_, label: nil) = self { true } else { false } }
}

extension KeyPlace {
    fileprivate func overlaps(_ other: KeyPlace) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    /// Whether a reader comes to this key first: it is in a row above, or left in the same one.
    fileprivate func isBefore(_ other: KeyPlace) -> Bool {
        y + height <= other.y || y < other.y + other.height && x + width <= other.x
    }
}
