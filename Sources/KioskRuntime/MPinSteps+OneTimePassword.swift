// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient

extension MPinSteps {
    func startOneTimePassword(of identity: KioskIdentity) async throws(KioskFailure) {
        try await startErrand("start one-time password") { () throws(MPinError) in
            try await sdk.startAuthenticationOTP(of: try await user(identity))
        }
    }

    func finishOneTimePassword(
        of identity: KioskIdentity, pin: consuming Pin
    ) async throws(KioskFailure) -> IssuedCode {
        let password: OneTimePassword
        do throws(MPinError) {
            password = try await sdk.finishAuthenticationOTP(of: try await user(identity), pin: pin)
        } catch {
            throw failure(error, of: "finish one-time password")
        }
        return try issued(password)
    }
}
