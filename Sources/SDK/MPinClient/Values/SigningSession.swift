// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A document that a service wants signed, scanned from a QR code (docs/protocol/miracl.md, section 12.5).
///
/// Texts are as the server wrote them: clean them before showing them.
public struct SigningSession: Sendable, Equatable {
    /// The code of the session.
    public let accessCode: AccessCode
    /// All details from the server, including `description` and `hash`.
    public let details: SessionDetails
    /// The identity that has to sign; empty when the server did not say.
    public let userID: String
    /// Whether it was already signed.
    public let isSigned: Bool
    /// The end of the session, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let expireTimeSeconds: Int64?
    /// The way to hand the signature in.
    let channel: Channel

    /// Description of the document, in the words of the relying party.
    public var description: String { details.description }
    /// The SHA-256 digest, 64 lower-case hexadecimal digits.
    public var hash: String { details.hash }

    enum Channel: Sendable {
        case codeStatus, dvsSession
    }
}
