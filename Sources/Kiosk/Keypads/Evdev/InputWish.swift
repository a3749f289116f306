// SPDX-License-Identifier: Apache-2.0

import KioskPorts

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
