// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem

/// Turns the reports of one input device into those of a keypad.
protocol InputReader {
    /// - Parameter device: has the true state after lost reports.
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
