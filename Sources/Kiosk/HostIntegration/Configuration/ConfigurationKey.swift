// SPDX-License-Identifier: Apache-2.0

/// A setting that the kiosk knows.
public struct ConfigurationKey: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        case text
        /// `true` or `false`.
        case flag
        case choice([String])
    }

    /// Its path in the file, with parts joined by points. A part `*` stands for a name that the operator chooses.
    public let name: String
    public let kind: Kind
    /// The default value, if it is the same for every kiosk.
    public let standard: String?
    /// The option of commands that sets it.
    public let option: String?
    /// Whether a running kiosk takes a changed value when it reads its settings again.
    public let isReread: Bool

    init(
        _ name: String, _ kind: Kind = .text, standard: String? = nil, option: String? = nil, isReread: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.option = option
        self.isReread = isReread
    }

    /// Whether `name` is this setting, or one that its `*` stands for.
    public func matches(_ name: String) -> Bool {
        let pattern = ConfigurationKey.parts(self.name), parts = ConfigurationKey.parts(name)
        return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// Whether `name` is a group that contains this setting.
    func lies(in name: String) -> Bool {
        let pattern = ConfigurationKey.parts(self.name), parts = ConfigurationKey.parts(name)
        return parts.count < pattern.count && zip(pattern, parts).allSatisfy { $0 == "*" || $0 == $1 }
    }

    static func parts(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

    /// The setting of this name, if there is one.
    static func named(_ name: String) -> ConfigurationKey? { all.first { $0.matches(name) } }

    static let environmentPrefix = "LOGIN_KIOSK_"

    /// The environment variable that sets `name`: `LOGIN_KIOSK_STORE_KEY_FILE` for `store.key-file`.
    static func environmentVariable(_ name: String) -> String {
        environmentPrefix + String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
