// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import MPinClient

extension MPinSteps {
    func canLogout(_ identity: KioskIdentity) async -> Bool {
        guard let user = try? await sdk.user(identity.key) else { return false }
        return await sdk.canLogout(user)
    }

    func logout(_ identity: KioskIdentity) async throws(KioskFailure) {
        try await call("logout") { () throws(MPinError) in try await sdk.logout(try await user(identity)) }
    }
}
