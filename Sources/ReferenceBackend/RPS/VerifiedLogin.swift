// SPDX-License-Identifier: Apache-2.0

/// A login whose PIN was right and whose device waits until the relying party has finished it.
struct VerifiedLogin: Sendable {
    let identity: RegisteredIdentity
    let otp: String?
    let device: AsyncStream<LoginResult>.Continuation
    /// The relying party asked once. It may not ask again.
    var isClaimed: Bool
    var logout = LogoutOffer()
    /// Set when the relying party has decided and the device still has to hear it.
    var result: LoginResult?
}
