// SPDX-License-Identifier: Apache-2.0

/// A door as configured: `doors: {NAME: {service: URL, action: WORD, ...}}`.
public struct ConfiguredDoor: Sendable, Equatable {
    public let name: String
    /// All that is said of it, by the settings' own names; those of a group with a point, as `arguments.1`.
    public let settings: [String: ConfiguredSetting]

    /// Where the door is spoken of first.
    public let origin: ConfigurationOrigin

    /// - Returns: nil when nothing is said of it.
    init?(_ name: String, in configuration: KioskConfiguration) {
        let group = configuration.group("doors.\(name)")
        guard let first = group.first else { return nil }
        self.name = name
        settings = Dictionary(uniqueKeysWithValues: group.map { ($0.name, $0.setting) })
        origin = first.setting.origin
    }
}
