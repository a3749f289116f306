// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The kind of backend that was found, and the addresses of its requests.
enum BackendProfile: Sendable {
    case classic(ClientSettings)
    case mfaV2(MFAv2Settings)
    case trust(TrustProject)

    /// Client settings by their key; none in the trust dialects.
    var parameters: [String: String] {
        switch self {
        case .classic(let settings): settings.parameters
        case .mfaV2(let settings): settings.parameters
        case .trust: [:]
        }
    }

    var projectID: String {
        if case .trust(let project) = self { project.id } else { "" }
    }

    /// The dialect of new identities: client settings without time permits are the platform's (docs/protocol/miracl.md,
    /// section 16).
    var dialect: DialectName {
        switch self {
        case .classic(let settings): settings.timePermits == nil ? .mfaV1 : .milagro
        case .mfaV2: .mfaV2
        case .trust(let project): project.generation ?? .trust2025
        }
    }
}
