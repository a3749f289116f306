// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient

extension MPinSteps {
    func freshAccessCode(for application: RelyingPartyApplication) async throws(KioskFailure) -> AccessCode {
        try await call("access code for a local login") { () throws(MPinError) in
            try await sdk.accessCode(fromAuthorizationURL: try await application.authorizationURL())
        }
    }

    func finishLocalLogin(
        of identity: KioskIdentity, pin: consuming Pin, accessCode: AccessCode,
        at application: RelyingPartyApplication
    ) async throws(KioskFailure) {
        let code: SecretBytes
        do throws(MPinError) {
            code = try await sdk.finishAuthenticationMFA(
                of: try await user(identity), pin: pin, accessCode: accessCode)
        } catch {
            throw failure(error, of: "finish local login")
        }
        do throws(MPinError) {
            try await application.submit(authorizationCode: code, userID: identity.userID)
        } catch {
            let failure = failure(error, of: "the application's login")
            // The platform has answered, and what the PIN was good for is done.
            throw KioskFailure(failure.reason, status: failure.status, passTwoWasSent: true)
        }
    }
}
