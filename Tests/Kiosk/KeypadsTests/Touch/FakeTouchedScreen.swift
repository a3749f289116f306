// SPDX-License-Identifier: Apache-2.0

import CInput
import KioskPorts
import Synchronization

@testable import Keypads

/// A screen of 800 x 480 whose keys a test chooses.
final class FakeTouchedScreen: TouchedScreen {
    struct State {
        var isShown = true
        var keys: TouchKeys?
        var isTouched = false
        var touched: [KeyPlace.Key?] = []
        var otherKeyboards = 0
        var call: (@Sendable () -> Void)?
    }

    let state: Mutex<State>

    init(_ keys: TouchKeys? = FakeTouchedScreen.pad()) { state = Mutex(State(keys: keys)) }

    static let pin = KioskView(.pin, .ask, title: Prompt(.pinTitle), entry: .masked(count: 0, capacity: 6))
    static let consent = KioskView(
        .consent, .ask, title: Prompt(.consentTitle),
        actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionCancel)])

    /// Ten digits and OK in the right half of the panel, each of 100 x 100.
    static func pad(
        since: Duration = .zero, _ view: KioskView = pin, isSecret: Bool = true,
        rotation: DisplaySettings.Rotation = .none
    ) -> TouchKeys {
        let keys = (0...9).map { digit in
            key(.digit(digit), .press(.digit(UInt8(digit)), label: nil), digit % 4, digit / 4, since)
        }
        return TouchKeys(
            width: 800, height: 480, rotation: rotation, subject: KeySubject(view),
            keys: keys + [key(.ofView(0), .press(.enter, label: Prompt(.actionOK)), 2, 2, since)], typedCount: 0,
            isSecret: isSecret)
    }

    static func key(
        _ key: KeyPlace.Key, _ effect: TouchKey.Effect, _ column: Int, _ row: Int, _ since: Duration = .zero
    ) -> TouchKey {
        TouchKey(
            KeyPlace(key, x: 400 + column * 100, y: row * 100 + 20, width: 90, height: 90), effect, since: since)
    }

    /// The middle of a key, as shares of the panel.
    static func middle(_ key: KeyPlace.Key) -> (x: Double, y: Double) {
        let place = pad().keys.first { $0.place.key == key }?.place
        guard let place else { return (0, 0) }
        return (Double(place.x + place.width / 2) / 800, Double(place.y + place.height / 2) / 480)
    }

    func show(_ keys: TouchKeys?) { state.withLock { $0.keys = keys } }

    func unplug() {
        state.withLock { state in
            (state.isShown, state.keys) = (false, nil)
            state.call?()
        }
    }

    func plug(_ keys: TouchKeys) {
        state.withLock { state in
            (state.isShown, state.keys) = (true, keys)
            state.call?()
        }
    }

    var isShown: Bool { state.withLock { $0.isShown } }
    var touchKeys: TouchKeys? { state.withLock { $0.keys } }
    var isTouched: Bool { state.withLock { $0.isTouched } }
    var touched: [KeyPlace.Key?] { state.withLock { $0.touched } }
    func touchPanelChanged(isThere: Bool) { state.withLock { $0.isTouched = isThere } }
    func touch(_ key: TouchKey?) { state.withLock { $0.touched.append(key?.place.key) } }
    func showOtherKeyboard() { state.withLock { $0.otherKeyboards += 1 } }
    func onPanelChange(_ call: (@Sendable () -> Void)?) { state.withLock { $0.call = call } }
}
