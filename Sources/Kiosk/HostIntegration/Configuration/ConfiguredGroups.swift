// SPDX-License-Identifier: Apache-2.0

/// The server for signing documents of one service, as configured: `signing: {applications: {NAME: {service: URL,
/// address: URL}}}`.
public struct ConfiguredApplication: Sendable, Equatable {
    public let name: String
    /// The service at which people chose to sign.
    public let service: ConfiguredSetting
    /// The application's server, which makes the hash and checks the signature.
    public let address: ConfiguredSetting

    /// - Returns: nil when either is missing; ``KioskConfiguration/problems`` says so.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let service = configuration.setting("signing.applications.\(name).service"),
            let address = configuration.setting("signing.applications.\(name).address")
        else { return nil }
        self.name = name
        self.service = service
        self.address = address
    }

    /// Applications of a configuration that lack one of both.
    static func problems(in configuration: KioskConfiguration) -> [ConfigurationProblem] {
        configuration.problems(
            below: "signing.applications", but: configuration.applications.map(\.name),
            "needs both, service and address")
    }
}

/// A document of the operator for signing, as configured: `signing: {documents: {NAME: {file: PATH, title: TEXT}}}`.
public struct ConfiguredDocument: Sendable, Equatable {
    public let name: String
    public let file: ConfiguredSetting
    /// The title for people; the name if there is none.
    public let title: String

    /// - Returns: nil when no file is named; ``KioskConfiguration/problems`` says so.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let file = configuration.setting("signing.documents.\(name).file") else { return nil }
        self.name = name
        self.file = file
        title = configuration.text("signing.documents.\(name).title") ?? name
    }

    /// Documents of a configuration that have no file.
    static func problems(in configuration: KioskConfiguration) -> [ConfigurationProblem] {
        configuration.problems(below: "signing.documents", but: configuration.documents.map(\.name), "has no file")
    }
}

/// A door as configured: `doors: {NAME: {service: URL, action: WORD, ...}}`.
public struct ConfiguredDoor: Sendable, Equatable {
    public let name: String
    /// All its settings by their own names; those of a group with a point, as `arguments.1`.
    public let settings: [String: ConfiguredSetting]

    /// The place where the door is first configured.
    public let origin: ConfigurationOrigin

    /// - Returns: nil when it has no settings.
    init?(_ name: String, in configuration: KioskConfiguration) {
        let group = configuration.group("doors.\(name)")
        guard let first = group.first else { return nil }
        self.name = name
        settings = Dictionary(uniqueKeysWithValues: group.map { ($0.name, $0.setting) })
        origin = first.setting.origin
    }
}

/// A keypad as configured: `keypads: {NAME: {driver: DRIVER, ...}}`.
public struct ConfiguredKeypad: Sendable, Equatable {
    public let name: String
    public let driver: ConfiguredSetting
    /// The options for the driver, by the setting's own name.
    public let options: [String: ConfiguredSetting]

    /// - Returns: nil when no driver is named; ``KioskConfiguration/problems`` says so.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let driver = configuration.setting("keypads.\(name).driver") else { return nil }
        self.name = name
        self.driver = driver
        options = Dictionary(
            uniqueKeysWithValues: configuration.group("keypads.\(name)").filter { $0.name != "driver" }.map { ($0, $1) }
        )
    }

    /// Keypads of a configuration that have no driver.
    static func problems(in configuration: KioskConfiguration) -> [ConfigurationProblem] {
        configuration.problems(below: "keypads", but: configuration.keypads.map(\.name), "has no driver")
    }
}

extension KioskConfiguration {
    /// Reports incomplete groups, once for each of their settings: groups below `parent` with settings but not among
    /// the `complete` ones.
    fileprivate func problems(
        below parent: String, but complete: [String], _ lack: String
    ) -> [ConfigurationProblem] {
        group(parent).compactMap { setting, value in
            let name = ConfigurationKey.parts(setting)[0]
            guard !complete.contains(name) else { return nil }
            return ConfigurationProblem("\(parent).\(name) \(lack)", at: value.origin)
        }
    }
}
