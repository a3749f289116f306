// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// All dialects, and which one a backend speaks.
enum DialectCatalogue {
    static let names = [MilagroDialect.name]

    /// Decides by the client settings (MIRACL protocol, section 16): those that can be read at all are milagro's.
    static func dialect(for settings: ClientSettings, _ configuration: MPin.Configuration) -> any Dialect {
        MilagroDialect(settings: settings, configuration: configuration)
    }
}
