// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LinuxSystem
import Signage
import Synchronization

/// The part of a display's state that fingers need.
struct TouchState {
    var isThere = false
    /// Whether the person asked for letters where digits are usual.
    var wantsLetters = false
    var pad = DisplayView.Keyboard.usualPad
    /// The newest view as it was sent.
    var sent: DisplayView?
    var keys: TouchKeys?
    /// The key under a finger.
    var touched: KeyPlace.Key?
    var onPanelChange: (@Sendable () -> Void)?

    /// Follows a new view: the keys stay while the question is the same, so that fast fingers lose no key.
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

extension DisplayProcess: TouchedScreen {
    public var isShown: Bool { state.withLock { $0.panel != nil } }

    public var touchKeys: TouchKeys? { state.withLock { $0.touch.keys } }

    public func touchPanelChanged(isThere: Bool) {
        state.withLock { state in
            guard state.touch.isThere != isThere else { return }
            state.touch.isThere = isThere
            state.due.settings = true
            state.drawAgain()
        }
    }

    public func touch(_ key: TouchKey?) {
        state.withLock { state in
            guard state.touch.keys?.isSecret == false, state.touch.touched != key?.place.key else { return }
            state.touch.touched = key?.place.key
            state.due.touch = true
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
        due.view = true
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
