// SPDX-License-Identifier: Apache-2.0

/// A keypad as configured: `keypads: {NAME: {driver: DRIVER, ...}}`.
public struct ConfiguredKeypad: Sendable, Equatable {
    public let name: String
    public let driver: ConfiguredSetting
    /// What the driver is told, by the setting's own name.
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
        let keypads = configuration.keypads
        var problems: [ConfigurationProblem] = []
        for (name, setting) in configuration.group("keypads") {
            let keypad = ConfigurationKey.parts(name)[0]
            guard !keypads.contains(where: { $0.name == keypad }) else { continue }
            problems.append(ConfigurationProblem("keypads.\(keypad) has no driver", at: setting.origin))
        }
        return problems
    }
}
