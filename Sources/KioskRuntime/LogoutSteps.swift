// SPDX-License-Identifier: Apache-2.0

import KioskMachine

/// What ending a browser's session from here asks of the SDK.
protocol LogoutSteps: Sendable {
    /// Whether the relying party said how to end the session that this identity logged in last.
    func canLogout(_ identity: KioskIdentity) async -> Bool

    func logout(_ identity: KioskIdentity) async throws(KioskFailure)
}
