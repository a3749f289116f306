// SPDX-License-Identifier: Apache-2.0

/// Why a text does not say where lamps and buzzer are.
public enum SignalSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLong
    /// The text is the part that has no known name.
    case unknownField(String)
    case badValue(String)
    case twice(String)
    case noLine
    /// Two of them at one line.
    case sharedLine

    public var description: String {
        switch self {
        case .tooLong: "more than \(SignalSettings.maximumLength) bytes"
        case .unknownField(let part): "'\(part)': expected one of green=, red=, buzzer=, chip=, active="
        case .badValue(let part): "'\(part)': this value does not fit"
        case .twice(let name): "\(name)= stands there twice"
        case .noLine: "name a line for one of them at least: green=LINE, red=LINE, buzzer=LINE"
        case .sharedLine: "two of them have the same line"
        }
    }
}
