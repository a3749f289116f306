// SPDX-License-Identifier: Apache-2.0

/// The server that documents of one service are signed for, as configured:
/// `signing: {applications: {NAME: {service: URL, address: URL}}}`.
public struct ConfiguredApplication: Sendable, Equatable {
    public let name: String
    /// Where people chose to sign.
    public let service: ConfiguredSetting
    /// The application's server, which makes the hash and checks the signature.
    public let address: ConfiguredSetting

    /// - Returns: nil when one of both is missing; ``KioskConfiguration/problems`` says so.
    init?(_ name: String, in configuration: KioskConfiguration) {
        guard let service = configuration.setting("signing.applications.\(name).service"),
            let address = configuration.setting("signing.applications.\(name).address")
        else { return nil }
        self.name = name
        self.service = service
        self.address = address
    }

    /// Applications of a configuration of which half is missing.
    static func problems(in configuration: KioskConfiguration) -> [ConfigurationProblem] {
        let known = Set(configuration.applications.map(\.name))
        return configuration.group("signing.applications").compactMap { name, setting in
            let application = ConfigurationKey.parts(name)[0]
            guard !known.contains(application) else { return nil }
            return ConfigurationProblem(
                "signing.applications.\(application) needs both, service and address", at: setting.origin)
        }
    }
}
