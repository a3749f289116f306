// SPDX-License-Identifier: Apache-2.0

import Foundation

/// All settings of a kiosk, each with its origin, and their faults.
///
/// A later source in this list wins: the kiosk's defaults, `config.yaml`, the files of `config.d` in the order of
/// their names, the operator's profile, credentials of the service manager, environment variables, options of the
/// command. An installed kiosk has the files of `config.d` in three directories; a file masks those of its name in
/// weaker ones.
public struct KioskConfiguration: Sendable {
    /// In the order of ``ConfigurationKey/all``. A setting without source and default is missing.
    public internal(set) var settings: [ConfiguredSetting] = []
    public internal(set) var problems: [ConfigurationProblem] = []
    /// The problem among ``problems`` that reports a missing installed profile. The operator's next profile repairs it.
    public internal(set) var profileProblem: ConfigurationProblem?
    /// The existing files, in the order in which they are read.
    public internal(set) var files: [String] = []
    /// The directory of the operator's profile; nil when there is none.
    public internal(set) var profileDirectory: ProfileDirectory?

    /// The value of a setting; the default if no source sets it, or if its text is invalid.
    public subscript<Value>(_ setting: KeyPath<Settings, Setting<Value>>) -> Value {
        let setting = Settings.all[keyPath: setting]
        return setting.value(text(setting.key.name))
    }

    /// The text of a setting and its origin.
    public func setting<Value>(_ setting: KeyPath<Settings, Setting<Value>>) -> ConfiguredSetting? {
        self.setting(Settings.all[keyPath: setting].key.name)
    }

    /// - Parameter name: stands for the `*` of the setting's name.
    func setting<Value>(_ setting: KeyPath<Settings, Setting<Value>>, of name: String) -> ConfiguredSetting? {
        self.setting(Settings.all[keyPath: setting].key.name.replacing("*", with: name))
    }

    public func setting(_ name: String) -> ConfiguredSetting? { settings.first { $0.name == name } }

    public func text(_ name: String) -> String? { setting(name)?.value }

    /// The settings below a group such as `camera.controls`, each with the rest of its name.
    public func group(_ name: String) -> [(name: String, setting: ConfiguredSetting)] {
        settings.compactMap { setting in
            guard setting.name.hasPrefix(name + ".") else { return nil }
            return (String(setting.name.dropFirst(name.count + 1)), setting)
        }
    }

    /// The directories of the kiosk. Nil when no source names that of the identities and there is no home directory.
    public func directories(_ configuration: String) -> KioskDirectories? {
        guard let state = self[\.storeDirectory] else { return nil }
        var directories = KioskDirectories(state: state, configuration: configuration)
        if let file = self[\.storeKeyFile] { directories.identityKeyFile = file }
        if let directory = self[\.auditDirectory] { directories.auditDirectory = directory }
        if let file = self[\.trustFile] { directories.trustFile = file }
        return directories
    }

    /// The configured keypads, by name; without any the kiosk uses the terminal.
    public var keypads: [ConfiguredKeypad] { names("keypads").compactMap { ConfiguredKeypad($0, in: self) } }

    /// The configured doors, by name.
    public var doors: [ConfiguredDoor] { names("doors").compactMap { ConfiguredDoor($0, in: self) } }

    /// The operator's documents for signing, by name.
    public var documents: [ConfiguredDocument] {
        names("signing.documents").compactMap { ConfiguredDocument($0, in: self) }
    }

    /// The servers for signing documents of certain services, by name.
    public var applications: [ConfiguredApplication] {
        names("signing.applications").compactMap { ConfiguredApplication($0, in: self) }
    }

    private func names(_ parent: String) -> [String] {
        Set(group(parent).compactMap { ConfigurationKey.parts($0.name).first }).sorted()
    }
}

/// A setting's value and its origin.
public struct ConfiguredSetting: Sendable, Equatable {
    /// The setting's name, without `*`.
    public let name: String
    /// A flag is `true` or `false`.
    public let value: String
    public let origin: ConfigurationOrigin
}

extension KioskConfiguration {
    /// The settings for a running kiosk that reads them again.
    ///
    /// - Parameter newer: the configuration that was read.
    /// - Returns: the newer values where a running kiosk can take them, and the old ones elsewhere; and the names of
    ///   changed settings that apply from the next start.
    public func reread(_ newer: KioskConfiguration) -> (configuration: KioskConfiguration, deferred: [String]) {
        var result = newer
        result.settings = ConfigurationKey.all.flatMap { key in
            (key.isReread ? newer : self).settings.filter { key.matches($0.name) }
        }
        let names = Set(settings.map(\.name)).union(newer.settings.map(\.name)).sorted()
        let deferred = names.filter { name in
            ConfigurationKey.named(name)?.isReread == false && text(name) != newer.text(name)
        }
        return (result, deferred)
    }
}
