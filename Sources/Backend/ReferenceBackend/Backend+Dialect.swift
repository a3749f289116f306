// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// The language that the backend and its devices speak to each other. Every dialect is spoken below a path of its
    /// own, `/milagro`, `/trust-2025` and so on. One of them is spoken at the origin, too.
    public enum Dialect: String, Sendable, CaseIterable {
        /// The classic Milagro protocol with time permits.
        case milagro
        /// The same without time permits. A revoked identity is refused at the final step only.
        case milagroWithoutPermits = "milagro-without-permits"
        /// MIRACL's platform from 2016 to 2018: no time permits, devices that name their company, registrations that
        /// belong to a browser session, authorization codes. Needs a company id.
        case mfaV1 = "mfa-v1"
        /// MIRACL's platform from 2018 to 2022. Devices name their company, which is the project.
        case mfaV2 = "mfa-v2"
        /// MIRACL's platform from 2023.
        case trust2023 = "trust-2023"
        /// MIRACL's platform of today.
        case trust2025 = "trust-2025"

        /// Nil where the classic RPS answers.
        var platformGeneration: PlatformGeneration? { PlatformGeneration(rawValue: rawValue) }

        var usesTimePermits: Bool { self == .milagro }

        /// Whether a device can log its user in to its own application, which then asks a relying party's server.
        var hasApplicationLogins: Bool { self != .milagro && self != .milagroWithoutPermits }

        /// Whether it proves that to the server with a web token; before, it was a code.
        var hasWebTokens: Bool { self == .trust2023 || self == .trust2025 }

        /// Whether a browser may show a number to type in place of a code to scan.
        var hasAccessNumbers: Bool { self == .milagro || self == .milagroWithoutPermits }
    }
}

/// The generations of MIRACL's platform that clients in use speak to. MIRACL protocol, sections 1 and 10.
enum PlatformGeneration: String, Codable, Sendable, CaseIterable {
    /// From 2018 to 2022: a service document and settings, identities without and with a key for logins and signatures.
    case mfaV2 = "mfa-v2"
    /// From January 2023: one identity with a key for both, registration in steps, errors that carry a request id.
    case trust2023 = "trust-2023"
    /// From July 2025: registration in one request beside the older one, errors as plain codes.
    case trust2025 = "trust-2025"

    var dialect: Backend.Dialect {
        switch self {
        case .mfaV2: .mfaV2
        case .trust2023: .trust2023
        case .trust2025: .trust2025
        }
    }
}
