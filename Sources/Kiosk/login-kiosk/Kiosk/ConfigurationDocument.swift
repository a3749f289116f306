// SPDX-License-Identifier: Apache-2.0

import HostIntegration

/// The output of `config show --json`.
struct ConfigurationDocument: Encodable {
    struct Setting: Encodable {
        let name: String
        let value: String
        let origin: String
    }

    let version = 1
    let files: [String]
    let settings: [Setting]
    let problems: [String]

    init(_ configuration: KioskConfiguration) {
        files = configuration.files
        settings = configuration.settings.map {
            Setting(name: $0.name, value: $0.value, origin: $0.origin.description)
        }
        problems = configuration.problems.map(\.description)
    }
}
