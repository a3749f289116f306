// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues

/// What a one-time password asks of the SDK.
protocol OneTimePasswordSteps: Sendable {
    /// - Throws: with reason `notOffered` where the backend has none.
    func startOneTimePassword(of identity: KioskIdentity) async throws(KioskFailure)

    /// - Throws: with reason `blocked` when the server has blocked the identity with this attempt.
    func finishOneTimePassword(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> IssuedCode
}
