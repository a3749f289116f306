// SPDX-License-Identifier: Apache-2.0

/// The dialect between the backend and its devices. Every dialect has its own path, `/milagro`, `/trust-2025` and
/// so on. The origin speaks one of them, too.
package enum Dialect: String, Sendable, CaseIterable {
    /// The classic Milagro protocol with time permits.
    case milagro
    /// The same without time permits. A revoked identity is refused at the final step only.
    case milagroWithoutPermits = "milagro-without-permits"
    /// MIRACL's platform from 2016 to 2018: no time permits, devices that name their company, registrations in a
    /// browser session, authorization codes. Needs a company id.
    case mfaV1 = "mfa-v1"
    /// MIRACL's platform from 2018 to 2022. Devices name their company, which is also the project.
    case mfaV2 = "mfa-v2"
    /// MIRACL's platform since 2023.
    case trust2023 = "trust-2023"
    /// MIRACL's present platform.
    case trust2025 = "trust-2025"

    /// The platform's generation; nil for a dialect of the classic RPS.
    package var platformGeneration: PlatformGeneration? { PlatformGeneration(rawValue: rawValue) }

    var usesTimePermits: Bool { self == .milagro }

    /// Whether a device can log its user in to an application of its own, whose server asks the relying party.
    package var hasApplicationLogins: Bool { self != .milagro && self != .milagroWithoutPermits }

    /// Whether the device brings the server a web token; older dialects use a code.
    package var hasWebTokens: Bool { self == .trust2023 || self == .trust2025 }

    /// Whether a browser may show a number to type besides the code to scan.
    package var hasAccessNumbers: Bool { self == .milagro || self == .milagroWithoutPermits }
}

/// The generations of MIRACL's platform that clients still use. docs/protocol/miracl.md, sections 1 and 10.
package enum PlatformGeneration: String, Codable, Sendable, CaseIterable {
    /// From 2018 to 2022: a service document and settings, identities with and without a key for logins and
    /// signatures.
    case mfaV2 = "mfa-v2"
    /// From January 2023: one identity with a key for both, registration in steps, errors with a request id.
    case trust2023 = "trust-2023"
    /// From July 2025: registration in one request or in steps, errors as plain codes.
    case trust2025 = "trust-2025"

    package var dialect: Dialect {
        switch self {
        case .mfaV2: .mfaV2
        case .trust2023: .trust2023
        case .trust2025: .trust2025
        }
    }

    /// Whether devices ask for their mail by `POST verification`, as before 2025.
    package var asksForMailsAtVerification: Bool { self != .trust2025 }
    /// Whether devices name the project in a header instead of the body, as before 2023.
    package var namesProjectInHeader: Bool { self == .mfaV2 }
}
