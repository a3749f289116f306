// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// The devices that a keypad reads.
struct InputWish: Sendable {
    /// Nil takes the first touch panel.
    let selector: InputSelector?
    /// The screen on which a touch panel lies; nil for keys.
    let screen: (any TouchedScreen)?
    /// Whether a missing device is not reported.
    let mayLack: Bool

    /// Pads and keyboards.
    init(keys selector: InputSelector) {
        self.selector = selector
        screen = nil
        mayLack = false
    }

    init(touch selector: InputSelector?, on screen: any TouchedScreen, mayLack: Bool) {
        self.selector = selector
        self.screen = screen
        self.mayLack = mayLack
    }

    /// The greatest number of devices: a pad has two or three nodes, and a picture one touch panel.
    var mostDevices: Int { screen == nil ? 8 : 1 }

    /// The trouble while no device is there.
    var missing: InputTrouble {
        guard screen == nil, let selector else { return .noTouchPanel(selector) }
        return .missing(selector)
    }

    /// The likely names of the keys.
    var keyNames: KeyNames { screen == nil ? .numberPad : mayLack ? KeyNames([:]) : .touched }
}

/// Turns the reports of one input device into those of a keypad.
protocol InputReader {
    /// - Parameter device: tells the true state after lost reports.
    mutating func read(_ event: InputEvent, of device: OpenInput) throws(SystemFailure) -> [KeypadReport]

    /// The next time at which ``tick(at:)`` may report something.
    var nextTick: Duration? { get }
    mutating func tick(at time: Duration) -> [KeypadReport]

    /// Forgets keys that are half pressed.
    mutating func interrupt()
}

/// An open input device.
struct OpenInput {
    let system: any InputSystem
    let number: Int32
}

extension InputDecoder: InputReader {
    mutating func read(_ event: InputEvent, of device: OpenInput) throws(SystemFailure) -> [KeypadReport] {
        let report = try decode(event) { () throws(SystemFailure) in try device.system.keysDown(device.number) }
        return report.map { [$0] } ?? []
    }

    var nextTick: Duration? { nil }
    mutating func tick(at time: Duration) -> [KeypadReport] { [] }
    mutating func interrupt() {}
}
