// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The reason why an input device is not used as a keypad.
enum InputTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    /// No device matches the selector.
    case missing(InputSelector)
    /// No touch panel is there, or none that matches the selector.
    case noTouchPanel(InputSelector?)
    /// A touch panel is there, and no panel that shows keys.
    case noPicture
    case unreadable(String, SystemFailure)
    /// Other programs could read the PIN, so no key is taken from it.
    case notGrabbed(String, SystemFailure)

    var description: String {
        switch self {
        case .missing(let selector):
            "keypad \(selector) is not there; plug it in, or see `login-kiosk devices` for what is"
        case .noTouchPanel(let selector):
            "the touch panel\(selector.map { " \($0)" } ?? "") is not there; see `login-kiosk devices` for what is"
        case .noPicture: "no panel shows keys to touch"
        case .unreadable(let node, let failure):
            "\(node): cannot be opened (\(failure.reason)); add the user to the group that has it, usually input"
        case .notGrabbed(let node, let failure) where failure.isBusy:
            "\(node): another program listens to it, so that no key is taken from it; stop that program"
        case .notGrabbed(let node, let failure):
            "\(node): cannot be had alone (\(failure.reason)), so that no key is taken from it"
        }
    }
}
