// SPDX-License-Identifier: Apache-2.0

/// The generations of MIRACL's platform that clients in use speak to. MIRACL protocol, sections 1 and 10.
enum PlatformGeneration: String, Sendable, CaseIterable {
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
