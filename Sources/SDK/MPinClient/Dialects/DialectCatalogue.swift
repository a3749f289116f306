// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// All dialects, bound to a backend.
enum DialectCatalogue {
    /// The dialect that an identity was registered with. An identity never changes its dialect, although a backend may
    /// begin or cease to use time permits.
    ///
    /// - Returns: nil when the backend is of another kind than the dialect.
    static func dialect(
        _ name: DialectName, at backend: BackendProfile, _ configuration: MPin.Configuration
    ) -> (any Dialect)? {
        switch (name, backend) {
        case (.milagro, .classic(let settings)): MilagroDialect(settings: settings, configuration: configuration)
        case (.mfaV1, .classic(let settings)): MFAv1Dialect(settings: settings, configuration: configuration)
        case (.mfaV2, .mfaV2(let settings)): MFAv2Dialect(settings: settings, configuration: configuration)
        case (.trust2023, .trust(let project)): Trust2023Dialect(project: project, configuration: configuration)
        case (.trust2025, .trust(let project)): Trust2025Dialect(project: project, configuration: configuration)
        case (.milagro, _), (.mfaV1, _), (.mfaV2, _), (.trust2023, _), (.trust2025, _): nil
        }
    }
}
