// SPDX-License-Identifier: Apache-2.0

import Foundation

/// All settings of a kiosk, each with its origin, and what is wrong with them.
///
/// A later source in this list wins: the kiosk's own choices, `config.yaml`, the files of `config.d` in the order of
/// their names, the operator's setup, credentials of the service manager, environment variables, options of the
/// command. An installed kiosk has the files of `config.d` in three directories; a file masks those of its name in
/// weaker ones.
public struct KioskConfiguration: Sendable {
    /// In the order of ``ConfigurationKey/all``; a setting that no source sets and that has no default is missing.
    public internal(set) var settings: [ConfiguredSetting] = []
    public internal(set) var problems: [ConfigurationProblem] = []
    /// Of ``problems`` the one that the setup which counts is gone. Its operator's next setup mends that.
    public internal(set) var setupProblem: ConfigurationProblem?
    /// The files that there are, in the order in which they are read.
    public internal(set) var files: [String] = []
    /// Where the operator's setup lies; nil where there is no directory for it.
    public internal(set) var setupPlace: SetupDirectory?

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

    /// Where the kiosk's files are. Nil when no source says where the identities are and there is no home directory.
    public func directories(_ configuration: String) -> KioskDirectories? {
        guard let state = text("store.directory") else { return nil }
        var directories = KioskDirectories(state: state, configuration: configuration)
        if let file = text("store.key-file") { directories.identityKeyFile = file }
        if let directory = text("audit.directory") { directories.auditRecord = directory }
        if let file = text("trust-file") { directories.trustFile = file }
        return directories
    }

    /// The keypads that are configured, by name; none stands for the terminal.
    public var keypads: [ConfiguredKeypad] {
        let names = group("keypads").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredKeypad($0, in: self) }
    }

    /// The doors that are configured, by name.
    public var doors: [ConfiguredDoor] {
        let names = group("doors").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredDoor($0, in: self) }
    }

    /// The documents that are kept ready to be signed, by name.
    public var documents: [ConfiguredDocument] {
        let names = group("signing.documents").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredDocument($0, in: self) }
    }

    /// The servers that documents are signed for at certain services, by name.
    public var applications: [ConfiguredApplication] {
        let names = group("signing.applications").compactMap { ConfigurationKey.parts($0.name).first }
        return Set(names).sorted().compactMap { ConfiguredApplication($0, in: self) }
    }
}

/// A setting's value and where it comes from.
public struct ConfiguredSetting: Sendable, Equatable {
    /// The setting's name, without `*`.
    public let name: String
    /// A flag is `true` or `false`.
    public let value: String
    public let origin: ConfigurationOrigin
}

extension KioskConfiguration {
    /// The settings that count when a running kiosk reads them again.
    ///
    /// - Parameter newer: the configuration that was read.
    /// - Returns: the newer values where a running kiosk can take them, and the old ones elsewhere; and the names of
    ///   settings that were changed and count from the next start on.
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
