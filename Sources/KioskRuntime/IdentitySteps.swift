// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What deleting an identity on request asks of the SDK.
protocol IdentitySteps: Sendable {
    func startConfirming(_ identity: KioskIdentity) async throws(KioskFailure)

    /// Has the backend judge the PIN.
    ///
    /// - Throws: with reason `blocked` when the server has blocked the identity with this attempt.
    func finishConfirming(_ identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure)

    /// Deletes this identity and no other, and says whether it is gone.
    func deleteForGood(_ identity: KioskIdentity) async throws(KioskFailure)
}
