// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient

extension MPinSteps {
    func startConfirming(_ identity: KioskIdentity) async throws(KioskFailure) {
        try await call("start confirming") { () throws(MPinError) in
            try await sdk.startAuthentication(of: try await user(identity))
        }
    }

    /// What the login brings is thrown away: it was about the PIN.
    func finishConfirming(_ identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) {
        do throws(MPinError) {
            let user = try await user(identity)
            switch user.dialect {
            case .trust2023, .trust2025: _ = try await sdk.finishAuthenticationJWT(of: user, pin: pin)
            case .milagro, .mfaV1, .mfaV2, nil: _ = try await sdk.finishAuthentication(of: user, pin: pin)
            }
        } catch {
            throw failure(error, of: "finish confirming")
        }
    }

    func deleteForGood(_ identity: KioskIdentity) async throws(KioskFailure) {
        try await call("delete identity") { () throws(MPinError) in
            if let user = try await sdk.user(identity.key) { try await sdk.deleteUser(user) }
        }
    }
}
