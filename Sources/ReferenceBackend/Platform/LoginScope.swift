// SPDX-License-Identifier: Apache-2.0

/// What a login is for. MIRACL protocol, section 9.3.
enum LoginScope: String, Sendable {
    /// A browser's session, by its code.
    case oidc
    /// A code that registers another device.
    case registrationCode = "reg-code"
    /// A one-time password.
    case oneTimePassword = "otp"
    /// An identity for signatures.
    case signingRegistration = "dvs-reg"
    /// A check of the PIN beside a signature.
    case signing = "dvs-auth"
    /// A token for an application's own server.
    case jwt

    /// Before 2023 an identity either logs in, and has no key, or signs, and has one. Since then it does both.
    func isFor(_ identity: RegisteredIdentity, in generation: PlatformGeneration) -> Bool {
        let hasKey = identity.publicKey != nil
        return switch self {
        case .oneTimePassword, .signingRegistration: generation == .mfaV2 && !hasKey
        case .jwt: generation != .mfaV2 && hasKey
        case .oidc, .registrationCode: (generation == .mfaV2) != hasKey
        case .signing: hasKey
        }
    }
}
