// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A document that a service wants to have signed, scanned from a QR code (MIRACL protocol, section 12.5).
///
/// Texts as the server wrote them, so a caller that shows them cleans them first.
public struct SigningSession: Sendable, Equatable {
    public let accessCode: AccessCode
    /// Everything the server said, `description` and `hash` among it.
    public let details: SessionDetails
    /// The identity that is to sign; empty when the server did not say.
    public let userID: String
    /// Whether it was signed already.
    public let isSigned: Bool
    /// When the session ends, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let expireTimeSeconds: Int64?
    /// How it is completed.
    let channel: Channel

    /// Description of what is to be signed, in the words of the relying party.
    public var description: String { details.description }
    /// The SHA-256 digest, 64 lower-case hexadecimal digits.
    public var hash: String { details.hash }

    enum Channel: Sendable {
        case codeStatus, dvsSession
    }
}
