// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A login that the server accepted.
public struct AuthenticationResult: Sendable {
    /// The final reply as received, a JSON object or empty: the relying party's message to its client. It may carry a
    /// session token of that party.
    public let resultData: SecretBytes
    /// Whether the reply has the data for ending the browser session: ``MPin/logout(_:)``.
    public let canLogout: Bool
    /// The wrong PINs since the previous login; nil when there were none, or the server does not say.
    public let wrongPINs: WrongPINs?

    init(_ reply: LoginReply) {
        resultData = reply.content
        canLogout = reply.logout != nil
        wrongPINs = reply.wrongPINs
    }
}

/// A second factor besides the PIN, `pin1` or `nfc` in older SDKs. It is not supported: this type has no values, so
/// that only nil can be passed. No public source specifies how a second factor enters the arithmetic, and a guess would
/// make tokens that no other client can use.
public enum SecondFactor: Sendable {}
