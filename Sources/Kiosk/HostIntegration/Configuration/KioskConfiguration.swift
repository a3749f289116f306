// SPDX-License-Identifier: Apache-2.0

import Foundation

/// All settings of a kiosk, each with its origin, and their faults.
///
/// A later source in this list wins: the kiosk's defaults, `config.yaml`, the files of `config.d` in the order of
/// their names, the operator's setup, credentials of the service manager, environment variables, options of the
/// command. An installed kiosk has the files of `config.d` in three directories; a file masks those of its name in
/// weaker ones.
public struct KioskConfiguration: Sendable {
    /// In the order of ``ConfigurationKey/all``. A setting without source and default is missing.
    public internal(set) var settings: [ConfiguredSetting] = []
    public internal(set) var problems: [ConfigurationProblem] = []
    /// The one of ``problems`` that says that the installed setup is gone. The operator's next setup repairs that.
    public internal(set) var setupProblem: ConfigurationProblem?
    /// The existing files, in the order in which they are read.
    public internal(set) var files: [String] = []
    /// The directory of the operator's setup; nil when there is none.
    public internal(set) var setupDirectory: SetupDirectory?

    public func setting(_ name: String) -> ConfiguredSetting? { settings.first { $0.name == name } }

    public func text(_ name: String) -> String? { setting(name)?.value }

    public func flag(_ name: String) -> Bool { text(name) == "true" }

    /// The settings below a group such as `camera.controls`, each with the rest of its name.
    public func group(_ name: String) -> [(name: String, setting: ConfiguredSetting)] {
        settings.compactMap { setting in
            guard setting.name.hasPrefix(name + ".") else { return nil }
            return (String(setting.name.dropFirst(name.count + 1)), setting)
        }
    }

    /// The directories of the kiosk. Nil when no source names that of the identities and there is no home directory.
    public func directories(_ configuration: String) -> KioskDirectories? {
        guard let state = text("store.directory") else { return nil }
        var directories = KioskDirectories(state: state, configuration: configuration)
        if let file = text("store.key-file") { directories.identityKeyFile = file }
        if let directory = text("audit.directory") { directories.auditRecord = directory }
        if let file = text("trust-file") { directories.trustFile = file }
        return directories
    }

    /// The configured keypads, by name; without any the kiosk uses the terminal.
    public var keypads: [ConfiguredKeypad] {
        let names = group("keypads").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredKeypad($0, in: self) }
    }

    /// The configured doors, by name.
    public var doors: [ConfiguredDoor] {
        let names = group("doors").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredDoor($0, in: self) }
    }

    /// The operator's documents for signing, by name.
    public var documents: [ConfiguredDocument] {
        let names = group("signing.documents").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredDocument($0, in: self) }
    }

    /// The servers for signing documents of certain services, by name.
    public var applications: [ConfiguredApplication] {
        let names = group("signing.applications").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredApplication($0, in: self) }
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
