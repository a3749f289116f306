// SPDX-License-Identifier: Apache-2.0

/// Lamps and a buzzer, as far as a device has them.
public protocol SignalOutput: Sendable {
    /// Switches everything to `level`; what the device does not have is left out.
    ///
    /// - Throws: when the device is gone. The text is for the log.
    func set(_ level: SignalLevel) async throws
}
