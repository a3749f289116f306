// SPDX-License-Identifier: Apache-2.0

/// A setting of the kiosk: its name, type, default and traits. ``Settings`` lists all.
public struct Setting<Value: Sendable>: Sendable {
    public let key: ConfigurationKey
    /// The value of a text; the default without one, or if the text is invalid.
    let value: @Sendable (String?) -> Value

    /// - Parameters:
    ///   - name: the path in the file, with parts joined by points. A part `*` stands for a name that the operator
    ///     chooses.
    ///   - standard: the default, if it is the same for every kiosk.
    ///   - option: the option of commands that sets it.
    init(
        _ name: String, _ format: SettingFormat<Value>, standard: String, option: String? = nil,
        _ traits: SettingTraits = []
    ) {
        guard let own = format.read(standard) else { preconditionFailure("\(name): \(standard)") }
        key = ConfigurationKey(name, format, standard: standard, option: option, traits)
        value = { $0.flatMap(format.read) ?? own }
    }

    init<Some>(_ name: String, _ format: SettingFormat<Some>, option: String? = nil, _ traits: SettingTraits = [])
    where Value == Some? {
        key = ConfigurationKey(name, format, standard: nil, option: option, traits)
        value = { $0.flatMap(format.read) }
    }
}

struct SettingTraits: OptionSet {
    let rawValue: Int

    /// A running kiosk takes a changed value when it reads its settings again.
    static let reread = SettingTraits(rawValue: 1)
    /// An operator's profile may contain it. All others are the machine's own: the paths of the kiosk's files, files
    /// that it writes or sends, programs that it runs, and the rules of provisioning and reset.
    static let profile = SettingTraits(rawValue: 2)
}

/// A setting of any type.
protocol AnySetting {
    var key: ConfigurationKey { get }
}

extension Setting: AnySetting {}

extension [String: String] {
    /// The text for a setting, in texts by the settings' names.
    public subscript<Kind>(_ setting: KeyPath<Settings, Setting<Kind>>) -> String? {
        get { self[Settings.all[keyPath: setting].key.name] }
        set { self[Settings.all[keyPath: setting].key.name] = newValue }
    }
}
