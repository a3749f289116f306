// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Turns the reports of a touch panel into presses of the keys that a screen shows.
struct TouchReader: InputReader {
    private let axes: TouchAxes
    private let screen: any TouchedScreen
    private var decoder: ContactDecoder
    private var tracker: TouchTracker

    init(_ axes: TouchAxes, on screen: any TouchedScreen, of device: OpenInput) throws(SystemFailure) {
        self.axes = axes
        self.screen = screen
        let calibration = device.system.udevRecord(device.number).flatMap { TouchCalibration(udev: $0) } ?? .none
        decoder = ContactDecoder(axes, calibration, try device.system.touchSnapshot(device.number, axes))
        tracker = TouchTracker(isTouched: !decoder.contacts.isEmpty)
    }

    mutating func read(_ event: InputEvent, of device: OpenInput) throws(SystemFailure) -> [KeypadReport] {
        switch decoder.decode(event) {
        case nil: return []
        case .complete: return carryOut(tracker.take(decoder.contacts, at: event.time, on: screen.touchKeys))
        case .lost:
            decoder.restore(try device.system.touchSnapshot(device.number, axes))
            return carryOut(
                tracker.lose("the system lost reports of the touch panel", isTouched: !decoder.contacts.isEmpty))
        }
    }

    var nextTick: Duration? { tracker.nextTick }

    mutating func tick(at time: Duration) -> [KeypadReport] {
        carryOut(tracker.tick(at: time, on: screen.touchKeys))
    }

    mutating func interrupt() { tracker = TouchTracker(isTouched: !decoder.contacts.isEmpty) }

    private func carryOut(_ effects: [TouchTracker.Effect]) -> [KeypadReport] {
        effects.compactMap { effect in
            switch effect {
            case .pressed(let press): return .pressed(press)
            case .lost(let reason): return .keysLost(reason)
            case .stuck: return .trouble("something lies on the touch panel; it is ignored")
            case .touched(let key): screen.touch(key)
            case .otherKeyboard: screen.showOtherKeyboard()
            }
            return nil
        }
    }
}
