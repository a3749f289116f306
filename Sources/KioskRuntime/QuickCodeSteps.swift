// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What a code for another device asks of the SDK.
protocol QuickCodeSteps: Sendable {
    /// - Throws: with reason `notOffered` where the backend has none.
    func startQuickCode(of identity: KioskIdentity) async throws(KioskFailure)

    /// - Throws: with reason `blocked` when the server has blocked the identity with this attempt, `notAllowed` when this
    ///   device may issue no codes.
    func finishQuickCode(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) -> IssuedCode
}
