// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The backend that is set: its name in identity keys, what it said about itself and how it is spoken to.
struct BackendSession {
    let key: String
    let settings: ClientSettings
    let configuration: MPin.Configuration
    /// The dialect of new identities.
    let dialect: any Dialect

    init(key: String, settings: ClientSettings, configuration: MPin.Configuration) {
        self.key = key
        self.settings = settings
        self.configuration = configuration
        dialect = DialectCatalogue.dialect(for: settings, configuration)
    }

    /// The dialect that an identity was registered with.
    func dialect(named name: String) -> any Dialect {
        DialectCatalogue.dialect(named: name, settings, configuration)
    }

    /// A backend's URL without scheme and trailing slashes (milagro protocol, section 8.3).
    static func key(of url: WebAddress) -> String {
        String(url.base.absoluteText.dropFirst("\(url.origin.scheme.rawValue)://".utf8.count))
    }
}
