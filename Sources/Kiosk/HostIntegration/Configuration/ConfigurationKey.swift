// SPDX-License-Identifier: Apache-2.0

/// The name of a setting, the form of its text, and its traits.
public struct ConfigurationKey: Sendable {
    enum Kind: Sendable, Equatable {
        case text
        /// `true` or `false`.
        case flag
        case choice([String])
    }

    /// Its path in the file, with parts joined by points. A part `*` stands for a name that the operator chooses.
    public let name: String
    let kind: Kind
    /// The default value, if it is the same for every kiosk.
    let standard: String?
    /// The option of commands that sets it.
    let option: String?
    /// Whether a running kiosk takes a changed value when it reads its settings again.
    var isReread: Bool { traits.contains(.reread) }
    /// Whether an operator's profile may contain it.
    var isInProfiles: Bool { traits.contains(.profile) }

    private let traits: SettingTraits
    private let fault: @Sendable (_ name: String, _ text: String) -> String?

    init(
        _ name: String, _ format: SettingFormat<some Sendable>, standard: String?, option: String?,
        _ traits: SettingTraits
    ) {
        self.name = name
        kind = format.kind
        fault = format.fault
        self.standard = standard
        self.option = option
        self.traits = traits
    }

    /// A text from any source as pages and programs show it: flags are `true` or `false`.
    func plain(_ text: String) -> String {
        guard kind == .flag else { return text }
        return switch text.lowercased() {
        case "true", "yes", "1": "true"
        case "false", "no", "0": "false"
        default: text
        }
    }

    /// The reason why a text is invalid; nil for a valid one.
    ///
    /// - Parameter name: the setting's name without `*`.
    func problem(_ name: String, _ text: String) -> String? {
        text.isEmpty && kind == .text ? "'\(name)' is a text that is not empty" : fault(name, text)
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

    /// The name of the setting that `option` of a command sets.
    public static func name(setBy option: String) -> String {
        guard let key = all.first(where: { $0.option == option }) else { preconditionFailure("\(option) sets nothing") }
        return key.name
    }

    static let environmentPrefix = "LOGIN_KIOSK_"

    /// The environment variable that sets `name`: `LOGIN_KIOSK_STORE_KEY_FILE` for `store.key-file`.
    static func environmentVariable(_ name: String) -> String {
        environmentPrefix + String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
