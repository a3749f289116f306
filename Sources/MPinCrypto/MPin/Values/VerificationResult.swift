// SPDX-License-Identifier: Apache-2.0

/// The server's verdict on a proof. A peer must not be able to tell the two refusals apart, but only `wrongPIN` counts
/// towards blocking an identity.
public enum VerificationResult: Equatable, Sendable {
    /// The proof holds.
    case accepted
    /// The pairing equation is false: wrong PIN, token, permit, key or identity.
    case wrongPIN
    /// An input is not what it should be; nothing was computed.
    case malformed(MPinCryptoError)
}
