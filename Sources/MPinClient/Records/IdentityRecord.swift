// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What is known about one identity, and what is stored of it.
///
/// Never here: PIN, secret shares, the combined secret, private keys, the first permit share.
struct IdentityRecord: Sendable, Equatable {
    /// What belongs to the state, so that no record can have a token and a running registration at once.
    enum Phase: Sendable, Equatable {
        /// There is no mpin_id yet.
        case startedVerification
        case startedRegistration(Registration)
        case activated(Registration)
        case registered(Credential)
        /// The server refuses the identity for good; the token is gone.
        case blocked
    }

    struct Registration: Sendable, Equatable {
        let regOTT: SecretBytes
        /// The browser session that the registration was started for.
        let wid: AccessCode?
        let expires: Expiration?
        /// How many digits the server wants of the PIN; nil when it does not care.
        var pinLength: Int?
    }

    struct Credential: Sendable, Equatable {
        var token: Token
        var pinReading: PinReading
        var pinLength: Int
        var permitCache: PermitCache?
        /// The identity's key in the trust dialects, else nil.
        var publicKey: DVSPublicKey?
        /// Nil in the classic dialects.
        var dtas: String?
        /// An identity for signing beside this one (mfa-v2); nil when there is none.
        var signing: SigningCredential?
    }

    /// What signs where that is another identity, with a PIN of its own.
    struct SigningCredential: Sendable, Equatable {
        let mpinID: MPinID
        let publicKey: DVSPublicKey
        let token: Token
        let dtas: String
        let pinReading: PinReading
        let pinLength: Int
    }

    /// Empty as long as there is none.
    var mpinID: MPinID
    let deviceName: String
    /// The dialect that the identity was registered with.
    let dialect: DialectName
    var phase: Phase
    var customerID = ""
    var appID = ""
    var verificationType: VerificationType?

    var state: UserState {
        switch phase {
        case .startedVerification: .startedVerification
        case .startedRegistration: .startedRegistration
        case .activated: .activated
        case .registered: .registered
        case .blocked: .blocked
        }
    }

    /// The registration that runs; nil when none does.
    var registration: Registration? {
        switch phase {
        case .startedRegistration(let registration), .activated(let registration): registration
        case .startedVerification, .registered, .blocked: nil
        }
    }

    var credential: Credential? {
        if case .registered(let credential) = phase { credential } else { nil }
    }
}

/// The second D-TA's permit share and the server's day that it is for.
struct PermitCache: Sendable, Equatable {
    let day: EpochDay
    let share: TimePermitShare
}
