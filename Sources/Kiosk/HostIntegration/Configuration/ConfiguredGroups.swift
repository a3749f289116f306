// SPDX-License-Identifier: Apache-2.0

/// The server for signing documents of one service, as configured: `signing: {applications: {NAME: {service: URL,
/// address: URL}}}`.
public struct ConfiguredApplication: Sendable, Equatable {
    public let name: String
    /// The service at which people chose to sign.
    public let service: ConfiguredSetting
    /// The application's server, which makes the hash and checks the signature.
    public let address: ConfiguredSetting

    /// - Returns: nil when either is missing; ``KioskConfiguration/problems`` reports this.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let service = configuration.setting(\.signing.applicationService, of: name),
            let address = configuration.setting(\.signing.applicationAddress, of: name)
        else { return nil }
        self.name = name
        self.service = service
        self.address = address
    }
}

/// A document of the operator for signing, as configured: `signing: {documents: {NAME: {file: PATH, title: TEXT}}}`.
public struct ConfiguredDocument: Sendable, Equatable {
    public let name: String
    public let file: ConfiguredSetting
    /// The title for people; the name if there is none.
    public let title: String

    /// - Returns: nil when no file is named; ``KioskConfiguration/problems`` reports this.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let file = configuration.setting(\.signing.documentFile, of: name) else { return nil }
        self.name = name
        self.file = file
        title = configuration.setting(\.signing.documentTitle, of: name)?.value ?? name
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

    /// - Returns: nil when no driver is named; ``KioskConfiguration/problems`` reports this.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let driver = configuration.setting(\.keypads.driver, of: name) else { return nil }
        self.name = name
        self.driver = driver
        options = Dictionary(
            uniqueKeysWithValues: configuration.group("keypads.\(name)").filter { $0.name != "driver" }.map { ($0, $1) }
        )
    }
}
