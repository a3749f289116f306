// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The stored facts about one identity.
///
/// It never contains a PIN, secret shares, the combined secret, private keys or the first permit share.
struct IdentityRecord: Sendable, Equatable {
    /// The state with the values that belong to it, so that no record can have a token and a running registration at
    /// once.
    enum Phase: Sendable, Equatable {
        /// There is no mpin_id yet.
        case startedVerification
        case startedRegistration(Registration)
        case activated(Registration)
        case registered(Credential)
        /// The server refuses the identity. Its credential is kept for a while, because a server that counts wrong
        /// PINs can forget them; nil when it is gone for good.
        case blocked(HeldCredential?)
    }

    /// A blocked identity's token, which the next login may use only after ``MPin/reconsider(_:)``.
    struct HeldCredential: Sendable, Equatable {
        var credential: Credential
        /// The time at which it is forgotten, in seconds since 1970-01-01 UTC.
        let until: Int64
    }

    struct Registration: Sendable, Equatable {
        let regOTT: SecretBytes
        /// The browser session that the registration was started for.
        let wid: AccessCode?
        let expires: Expiration?
        /// The number of digits that the server wants of the PIN; nil for any.
        var pinLength: Int?
    }

    struct Credential: Sendable, Equatable {
        var token: Token
        var pinLength: Int
        var permitCache: PermitCache?
        /// The identity's key in the trust dialects, else nil.
        var publicKey: DVSPublicKey?
        /// Nil in the classic dialects.
        var dtas: String?
        /// An identity for signing beside this one (mfa-v2); nil when there is none.
        var signing: SigningCredential?
        /// The caller's count of PINs since the last right one: ``MPin/setTries(_:of:)``.
        var tries = 0
    }

    /// A separate credential for signing, with a PIN of its own.
    struct SigningCredential: Sendable, Equatable {
        let mpinID: MPinID
        let publicKey: DVSPublicKey
        let token: Token
        let dtas: String
        let pinLength: Int
    }

    /// The rule by which a PIN's digits became the number in a token, as records name it: the decimal number itself
    /// (docs/protocol/milagro.md, section 6.4).
    static let pinReading = "decimal"

    /// Empty until there is one.
    var mpinID: MPinID
    let deviceName: String
    /// The dialect that the identity was registered with.
    let dialect: DialectName
    var phase: Phase
    var customerID = ""
    var appID = ""
    var verificationType: VerificationType?
    /// Whether it was registered over plain http, which is for trials on one machine.
    var isOverHTTP = false

    /// The user that the mpin_id names, as its server wrote it; nil if it names no user.
    var userID: String? { try? JSONObject(SecretBytes(copying: mpinID.bytes)).optionalString("userID") }

    var state: UserState {
        switch phase {
        case .startedVerification: .startedVerification
        case .startedRegistration: .startedRegistration
        case .activated: .activated
        case .registered: .registered
        case .blocked: .blocked
        }
    }

    /// The running registration; nil when there is none.
    var registration: Registration? {
        switch phase {
        case .startedRegistration(let registration), .activated(let registration): registration
        case .startedVerification, .registered, .blocked: nil
        }
    }

    var credential: Credential? {
        if case .registered(let credential) = phase { credential } else { nil }
    }

    var held: HeldCredential? { if case .blocked(let held) = phase { held } else { nil } }

    /// The credential of a registered identity, or of a blocked one that is kept.
    var credentialOrHeld: Credential? { credential ?? held?.credential }

    /// Changes the credential; the identity stays registered or blocked.
    mutating func replaceCredential(_ credential: Credential) {
        phase =
            held.map { .blocked(HeldCredential(credential: credential, until: $0.until)) } ?? .registered(credential)
    }
}

/// The second D-TA's permit share and its day by the server's clock.
struct PermitCache: Sendable, Equatable {
    let day: EpochDay
    let share: TimePermitShare
}
