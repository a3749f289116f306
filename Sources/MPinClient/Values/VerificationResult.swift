// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// An identity that was verified: what its registration is started with (MIRACL protocol, section 7).
public struct VerificationResult: Sendable, Equatable {
    /// What ``MPin/startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)`` takes as its code.
    public let activationToken: SecretBytes
    /// The session that the verification was for; nil when it was for none.
    public let accessCode: AccessCode?
    /// When the token ends, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let expireTimeSeconds: Int64?
    /// Empty when the server did not say.
    public let projectID: String
}
