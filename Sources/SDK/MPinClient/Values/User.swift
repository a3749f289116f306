// SPDX-License-Identifier: Apache-2.0

/// A snapshot of one person's identity at one backend.
///
/// Calls look up the identity by its ``key``, so an old snapshot does no harm: its state decides nothing.
public struct User: Sendable, Hashable {
    /// The person and the backend.
    public let key: IdentityKey
    /// The identity's state when the snapshot was made.
    public let state: UserState
    /// The name that the person's account shows for this device; empty when none was given.
    public let deviceName: String
    /// A short name among all identities of this store, for people to type: from 1, and never reused while the store
    /// lives. Nil before the identity is stored, in the trust dialects until it is registered.
    public internal(set) var number: Int?
    /// The end of the running registration; nil when none runs or the server did not say.
    public internal(set) var registrationExpires: Expiration?
    /// The number of digits of the PIN, or of the PIN that the server wants; nil for any.
    public internal(set) var pinLength: Int?
    /// The generation of the protocol that the identity speaks; nil before it was registered.
    public internal(set) var dialect: DialectName?
    /// The customer that the identity belongs to; empty where the dialect has none.
    public internal(set) var customerID = ""
    /// The customer's application that the identity belongs to; empty where the dialect has none.
    public internal(set) var appID = ""
    /// The mpin_id in hexadecimal; empty before the registration.
    public internal(set) var mpinID = ""
    /// The SHA-256 digest of the mpin_id in hexadecimal; empty before the registration.
    public internal(set) var hashedMPinID = ""
    /// Whether ``MPin/sign(documentHash:as:pin:pin1:timestamp:)`` is possible; for a blocked identity that is kept,
    /// whether it would be.
    public internal(set) var canSign = false
    /// The number of digits of a separate PIN for signing, if there is one.
    public internal(set) var signingPINLength: Int?
    /// Whether the identity is a guest, kept in memory only: ``MPin/takeGuest(_:card:)``.
    public internal(set) var isGuest = false
    /// Whether the identity was registered over plain http, which is for trials on one machine. Its backend is asked
    /// over http again, every other one over https.
    public internal(set) var isOverHTTP = false
    /// Nil when the server did not say.
    public internal(set) var verificationType: VerificationType?
    /// The time until which a blocked identity is kept, in seconds since 1970-01-01 UTC; until then
    /// ``MPin/reconsider(_:)`` can bring it back. Nil for an identity that is not blocked, and for one that is blocked
    /// for good.
    public internal(set) var blockedUntil: Int64?
    /// The value of ``MPin/setTries(_:of:)``; 0 for a new identity.
    public internal(set) var tries = 0

    /// The identity as the backend knows it, usually an e-mail address.
    public var identity: String { key.userID }
    /// The backend's URL without scheme and trailing slash.
    public var backend: String { BackendKey(key.backend).url }
    /// The project in the trust dialects, otherwise empty.
    public var projectID: String { BackendKey(key.backend).projectID }
    /// Whether the server refuses the identity.
    public var isRevoked: Bool { state == .blocked }
}

/// The state of an identity. Stored by name: the older SDKs use different numbers.
public enum UserState: String, Sendable, CaseIterable {
    /// A new identity without any started work. It is never stored.
    case invalid
    /// A mail for the verification was sent.
    case startedVerification
    /// The registration waits for the person to follow a mail.
    case startedRegistration
    /// The registration waits for no mail.
    case activated
    /// The identity can log in.
    case registered
    /// The server refuses the identity: after too many wrong PINs, or for good.
    case blocked
}
