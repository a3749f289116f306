// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// What a login at the kiosk itself asks of the SDK and of the application's server.
protocol LocalLoginSteps: Sendable {
    /// A session of the kiosk's own at the platform: an access code that nobody has used.
    func freshAccessCode(for application: RelyingPartyApplication) async throws(KioskFailure) -> AccessCode

    /// Logs in, and hands the authorization code over to the application's server. When it returns the person is logged in.
    func finishLocalLogin(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode,
        at application: RelyingPartyApplication
    ) async throws(KioskFailure)
}
