// SPDX-License-Identifier: Apache-2.0

/// Lamps and a buzzer, as far as a device has them.
public protocol SignalOutput: Sendable {
    /// Switches everything to `level`. Ignores lamps that the device does not have.
    ///
    /// - Throws: when the device is gone. The text is for the log.
    func set(_ level: SignalLevel) async throws
}

/// The state of lamps and buzzer at one moment.
public struct SignalLevel: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let green = SignalLevel(rawValue: 1)
    public static let red = SignalLevel(rawValue: 2)
    public static let buzzer = SignalLevel(rawValue: 4)
}
