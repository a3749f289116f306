// SPDX-License-Identifier: Apache-2.0

/// The purpose of a login. docs/protocol/miracl.md, section 9.3.
enum LoginScope: String, Codable, Sendable {
    /// A browser's session, by its code.
    case oidc
    /// A code for a relying party's server, as clients ask from 2020 to 2023.
    case authorizationCode = "authcode"
    /// A registration code for another device.
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
    func isFor(hasKey: Bool, in generation: PlatformGeneration) -> Bool {
        switch self {
        case .signingRegistration: generation == .mfaV2 && !hasKey
        case .jwt: generation != .mfaV2 && hasKey
        case .oidc, .authorizationCode, .registrationCode, .oneTimePassword: (generation == .mfaV2) != hasKey
        case .signing: hasKey
        }
    }

    /// Whether a browser waits. Clients name the code of their last browser with every scope; the other scopes ignore
    /// it.
    func needsSession(in generation: PlatformGeneration, hasCode: Bool) -> Bool {
        switch self {
        case .oidc: generation != .mfaV2 || hasCode
        case .authorizationCode: hasCode
        case .registrationCode, .oneTimePassword, .signingRegistration, .signing, .jwt: false
        }
    }
}
