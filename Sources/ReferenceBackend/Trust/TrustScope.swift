// SPDX-License-Identifier: Apache-2.0

/// What a login is for. MIRACL protocol, section 9.3.
enum TrustScope: String, Sendable {
    /// A browser's session, by its code.
    case oidc
    /// A code that registers another device.
    case registrationCode = "reg-code"
    /// A check of the PIN beside a signature.
    case signing = "dvs-auth"
    /// A token for an application's own server.
    case jwt
}
