// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// All dialects, and which one a backend speaks.
enum DialectCatalogue {
    static let all: [any Dialect.Type] = [MilagroDialect.self, MFAv1Dialect.self]

    static let names = all.map { $0.name }

    /// The dialect of new identities, by the client settings (MIRACL protocol, section 16): those without time permits are
    /// the platform's.
    static func dialect(for settings: ClientSettings, _ configuration: MPin.Configuration) -> any Dialect {
        settings.timePermits == nil
            ? MFAv1Dialect(settings: settings, configuration: configuration)
            : MilagroDialect(settings: settings, configuration: configuration)
    }

    /// The dialect that an identity was registered with, bound to the same settings: an identity never changes its
    /// dialect, although a backend may begin or cease to use time permits.
    ///
    /// - Parameter name: one of ``names``; a record with any other is refused when it is read.
    static func dialect(
        named name: String, _ settings: ClientSettings, _ configuration: MPin.Configuration
    ) -> any Dialect {
        guard let dialect = all.first(where: { $0.name == name }) else { preconditionFailure("unknown dialect") }
        return dialect.init(settings: settings, configuration: configuration)
    }
}
