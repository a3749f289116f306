// SPDX-License-Identifier: Apache-2.0

/// What lamps and buzzer do at one moment.
public struct SignalLevel: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let green = SignalLevel(rawValue: 1)
    public static let red = SignalLevel(rawValue: 2)
    public static let buzzer = SignalLevel(rawValue: 4)
}
