// SPDX-License-Identifier: Apache-2.0

/// A document that is kept ready to be signed, as configured:
/// `signing: {documents: {NAME: {file: PATH, title: TEXT}}}`.
public struct ConfiguredDocument: Sendable, Equatable {
    public let name: String
    public let file: ConfiguredSetting
    /// What people are shown; the name where nothing else is said.
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
        let known = Set(configuration.documents.map(\.name))
        return configuration.group("signing.documents").compactMap { name, setting in
            let document = ConfigurationKey.parts(name)[0]
            guard !known.contains(document) else { return nil }
            return ConfigurationProblem("signing.documents.\(document) has no file", at: setting.origin)
        }
    }
}
