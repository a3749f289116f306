// SPDX-License-Identifier: Apache-2.0

import KioskCore
import MPinClient

extension KioskIdentity {
    init(_ user: User, number: Int) {
        self.init(
            userID: user.identity, backend: user.key.backend, number: number, progress: Progress(user.state),
            pinLength: user.pinLength)
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
