// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import MPinClient

extension KioskIdentity {
    init(_ user: User) {
        self.init(
            userID: user.identity, backend: user.key.backend, number: user.number, progress: Progress(user.state),
            requiredPINLength: KioskIdentity.requiredPINLength(of: user),
            signing: SigningAbility(user), tries: user.tries,
            isHeld: user.state == .blocked && user.blockedUntil != nil)
    }

    /// Before the PIN is chosen the length that the server wants; afterwards the PIN's length in the later dialects,
    /// which refuse any other without a request.
    private static func requiredPINLength(of user: User) -> Int? {
        switch (user.state, user.dialect) {
        case (.registered, .milagro), (.registered, .mfaV1), (.registered, nil), (.blocked, .milagro),
            (.blocked, .mfaV1):
            nil
        default: user.pinLength
        }
    }

    var key: IdentityKey { IdentityKey(userID: userID, backend: backend) }
}

extension KioskIdentity.Progress {
    fileprivate init(_ state: UserState) {
        self =
            switch state {
            case .startedRegistration: .startedRegistration
            case .activated: .activated
            case .registered: .registered
            case .blocked: .blocked
            case .invalid, .startedVerification: .unusable
            }
    }
}

extension SigningAbility {
    fileprivate init(_ user: User) {
        self =
            if user.canSign {
                user.signingPINLength == nil ? .withPIN : .withOwnPIN
                // A guest's key would be forgotten with the guest.
            } else if user.state == .registered, user.dialect == .mfaV2, !user.isGuest {
                .needsKey
            } else {
                .none
            }
    }
}
