// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What is known about one identity, and what is stored of it.
///
/// Never here: PIN, secret shares, the combined secret, the first permit share.
struct IdentityRecord: Sendable, Equatable {
    /// What belongs to the state, so that no record can have a token and a running registration at once.
    enum Phase: Sendable, Equatable {
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
    }

    struct Credential: Sendable, Equatable {
        let token: Token
        let pinReading: PinReading
        let pinLength: Int
        var permitCache: PermitCache?
    }

    let mpinID: MPinID
    let deviceName: String
    /// The dialect that the identity was registered with.
    let dialect: String
    var phase: Phase

    var state: UserState {
        switch phase {
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
        case .registered, .blocked: nil
        }
    }

    var credential: Credential? {
        if case .registered(let credential) = phase { credential } else { nil }
    }
}
