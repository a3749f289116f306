// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The GPIO lines of lamps and buzzer, from an option or a configuration.
///
/// `NAME=VALUE` separated by commas: `green`, `red` and `buzzer` name a line each, at least one; `chip` the chip, else
/// the usual one; `active` is `high` or `low`, else `high`.
public struct SignalSettings: Sendable, Hashable {
    /// A lamp or the buzzer, and its line.
    public struct Part: Sendable, Hashable {
        public let level: SignalLevel
        public let line: String
    }

    public static let maximumLength = 256

    /// Nil for the usual chip.
    public let chip: String?
    public let parts: [Part]
    public let isActiveLow: Bool

    public init(_ text: some StringProtocol) throws(SignalSettingsError) {
        guard text.utf8.count <= SignalSettings.maximumLength else { throw .tooLong }
        var fields: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, SignalSettings.names.contains(String(words[0])) else {
                throw .unknownField(String(part))
            }
            guard SignalSettings.isPlain(words[1]) else { throw .badValue(String(part)) }
            guard fields.updateValue(String(words[1]), forKey: String(words[0])) == nil else {
                throw .twice(String(words[0]))
            }
        }
        let parts = SignalSettings.levels.compactMap { name, level in
            fields[name].map { Part(level: level, line: $0) }
        }
        guard !parts.isEmpty else { throw .noLine }
        guard Set(parts.map(\.line)).count == parts.count else { throw .sharedLine }
        switch fields["active"] {
        case nil, "high": isActiveLow = false
        case "low": isActiveLow = true
        case .some(let word): throw .badValue("active=\(word)")
        }
        chip = fields["chip"]
        self.parts = parts
    }

    private static let levels: [(String, SignalLevel)] = [("green", .green), ("red", .red), ("buzzer", .buzzer)]
    private static let names = Set(levels.map(\.0) + ["chip", "active"])

    private static func isPlain(_ word: some StringProtocol) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The reason why a text does not give the lines of lamps and buzzer.
public enum SignalSettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLong
    /// With the part that has no known name.
    case unknownField(String)
    case badValue(String)
    case twice(String)
    case noLine
    /// Two parts have the same line.
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
