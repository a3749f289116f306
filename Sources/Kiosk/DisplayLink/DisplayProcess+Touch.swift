// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem
import Signage
import Synchronization

/// The settings of keyboards on a panel.
public struct TouchSettings: Sendable, Hashable {
    /// Whether the digits of a PIN pad are in another order for each entry.
    public var shufflesPad: Bool
    /// Domains of e-mail addresses, each a key.
    public var domains: [String]

    public init(shufflesPad: Bool = false, domains: [String] = []) {
        self.shufflesPad = shufflesPad
        self.domains = domains
    }
}

/// Keys that the display names and that cannot be what it was told to draw.
struct KeysFault: Error, CustomStringConvertible {
    let description: String
}

/// The part of a display's state that fingers need.
struct TouchState {
    var isThere = false
    /// Whether the process has to learn that a touch panel came or went.
    var isDue = false
    /// Whether the person asked for letters where digits are usual.
    var wantsLetters = false
    var pad = DisplayView.Keyboard.usualPad
    /// The newest view as it was sent.
    var sent: DisplayView?
    var keys: TouchKeys?
    /// The key under a finger, and whether the process has to learn that.
    var touched: KeyPlace.Key?
    var isTouchDue = false
    var onPanelChange: (@Sendable () -> Void)?

    /// Follows a new view: the keys stay while it asks for the same, so that fast fingers lose no key.
    mutating func follow(
        _ view: KioskView, after old: KioskView?, on panel: Panel?, _ rotation: DisplaySettings.Rotation, shuffles: Bool
    ) {
        let subject = KeySubject(view)
        if old.map(KeySubject.init) != subject {
            keys = nil
            wantsLetters = false
            touched = nil
            pad = shuffles && view.stage.asksForPIN ? pad.shuffled() : DisplayView.Keyboard.usualPad
            if view.restStep != nil, let panel, isThere { keys = TouchKeys(atRest: view, on: panel, rotation) }
        } else if let shown = keys {
            let actions = view.atItsKeys.actions
            keys = TouchKeys(
                of: view, subject: subject, width: shown.width, height: shown.height, rotation: shown.rotation,
                keys: shown.keys.filter { key in
                    guard case .press(let pressed, let label?) = key.effect else { return true }
                    return actions.contains { $0.key == pressed && $0.label == label }
                })
        }
    }
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
        let characters = Array((sent.keyboard?.rows ?? []).joined())
        let subject = KeySubject(view)
        var keys: [TouchKey] = []
        for place in places {
            guard place.x + place.width <= panel.width, place.y + place.height <= panel.height else {
                throw KeysFault(description: "a key is outside of the panel")
            }
            for other in keys {
                guard other.place.key != place.key else { throw KeysFault(description: "a key is there twice") }
                guard !other.place.overlaps(place) else { throw KeysFault(description: "a key is over another") }
            }
            let effect: TouchKey.Effect
            switch place.key {
            case .ofView(let index) where actions.indices.contains(index):
                effect = .press(actions[index].key, label: actions[index].label)
            case .digit(let digit) where sent.keyboard?.showsLetters == false:
                effect = .press(.digit(UInt8(digit)), label: nil)
            case .character(let index) where sent.keyboard?.showsLetters == true && index < characters.count:
                effect = .press(.character(characters[index]), label: nil)
            case .domain(let index) where sent.keyboard.map { index < $0.domains.count } == true:
                effect = .domain(sent.keyboard?.domains[index] ?? "")
            case .otherKeyboard where sent.keyboard?.toLetters.isEmpty == false: effect = .otherKeyboard
            default: throw KeysFault(description: "a key is not of its view")
            }
            let before = old?.subject == subject ? old?.keys.first { $0.place == place && $0.effect == effect } : nil
            keys.append(TouchKey(place, effect, since: before?.since ?? now))
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

    /// Digits and characters stand in their order, row by row, and the answers to a question too.
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

extension DisplayProcess: TouchedScreen {
    public var isShown: Bool { state.withLock { $0.panel != nil } }

    public var touchKeys: TouchKeys? { state.withLock { $0.touch.keys } }

    public func touchPanelChanged(isThere: Bool) {
        state.withLock { state in
            guard state.touch.isThere != isThere else { return }
            state.touch.isThere = isThere
            state.touch.isDue = true
            state.drawAgain()
        }
    }

    public func touch(_ key: TouchKey?) {
        state.withLock { state in
            guard state.touch.keys?.isSecret == false, state.touch.touched != key?.place.key else { return }
            state.touch.touched = key?.place.key
            state.touch.isTouchDue = true
            state.wake?.yield()
        }
    }

    public func showOtherKeyboard() {
        state.withLock { state in
            state.touch.wantsLetters.toggle()
            state.drawAgain()
        }
    }

    public func onPanelChange(_ call: (@Sendable () -> Void)?) { state.withLock { $0.touch.onPanelChange = call } }

    /// Notes that the process has shown a view.
    func shown(_ number: UInt32, _ leftOut: LeftOut, _ places: [KeyPlace]) throws(KeysFault) {
        let now = now()
        let fault = state.withLock { state -> KeysFault? in
            state.shown = (number, leftOut)
            guard number == state.number, let view = state.view, let sent = state.touch.sent, let panel = state.panel,
                state.touch.isThere
            else { return nil }
            if view.restStep != nil {
                state.touch.keys = TouchKeys(atRest: view, on: panel, settings.rotation)
                return nil
            }
            do throws(KeysFault) {
                state.touch.keys = try TouchKeys(
                    places, of: view, sent: sent, on: panel, settings.rotation, after: state.touch.keys, at: now)
                return nil
            } catch { return error }
        }
        if let fault { throw fault }
    }
}

extension DisplayProcess.State {
    /// Has the newest view drawn with other keys.
    fileprivate mutating func drawAgain() {
        touch.keys = nil
        number &+= 1
        isViewDue = view != nil
        wake?.yield()
    }

    /// The newest view in words, with the keyboard for fingers if there are any.
    mutating func words(_ languages: Languages, _ settings: TouchSettings, shownFor: Duration) -> DisplayView? {
        guard let view else { return nil }
        var words = DisplayView(view, in: languages, shownFor: shownFor, domains: settings.domains)
        if words.keyboard?.toLetters.isEmpty == false { words.keyboard?.showsLetters = touch.wantsLetters }
        words.keyboard?.pad = touch.pad
        if !touch.isThere { words.keyboard = nil }
        touch.sent = words
        return words
    }
}
