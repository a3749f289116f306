// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The current backend: its name in identity keys, its client settings and its dialect.
struct BackendSession {
    let key: BackendKey
    var profile: BackendProfile
    let configuration: MPin.Configuration
    /// The dialect that the configuration sets, if it sets one.
    let pinned: DialectName?

    /// The dialect of new identities.
    ///
    /// - Throws: ``MPinError/Kind/badReply`` when the configuration sets another dialect than the backend shows.
    func dialect() throws(MPinError) -> any Dialect { try dialect(named: pinned ?? profile.dialect) }

    /// The dialect that an identity was registered with.
    ///
    /// - Throws: ``MPinError/Kind/badReply`` when the backend is of another kind now.
    func dialect(named name: DialectName) throws(MPinError) -> any Dialect {
        guard let dialect = DialectCatalogue.dialect(name, at: profile, configuration) else {
            throw MPinError(
                .badReply,
                detail: "the backend \(key.url) speaks \(profile.dialect.rawValue) now, not \(name.rawValue): register "
                    + "again, or say in the configuration which dialect it speaks")
        }
        return dialect
    }

    /// The dialect to try when today's platform does not know the registration request; nil when the generation is
    /// known.
    func registrationFallback() throws(MPinError) -> (any Dialect)? {
        guard case .trust(let project) = profile, project.generation == nil else { return nil }
        return try dialect(named: .trust2023)
    }
}
