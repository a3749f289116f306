// SPDX-License-Identifier: Apache-2.0

/// A login whose PIN was right and that the relying party has not finished yet.
struct VerifiedLogin: Sendable {
    let identity: RegisteredIdentity
    let otp: String?
    /// Where the device of a browser session waits; nil for a plain login.
    let device: AsyncStream<LoginResult>.Continuation?
    /// The relying party asked once. It may not ask again.
    var isClaimed: Bool
    var logout = LogoutOffer()
    /// Set when the relying party has decided and a device still has to hear it.
    var result: LoginResult?
}
