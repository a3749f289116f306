// SPDX-License-Identifier: Apache-2.0

import KioskCore
import LoginValues
import MPinClient

extension MPinSteps {
    func startQuickCode(of identity: KioskIdentity) async throws(KioskFailure) {
        try await startErrand("start quick code") { () throws(MPinError) in
            try await sdk.startAuthenticationRegCode(of: try await user(identity))
        }
    }

    func finishQuickCode(of identity: KioskIdentity, pin: consuming Pin) async throws(KioskFailure) -> IssuedCode {
        let code: OneTimePassword
        do throws(MPinError) {
            code = try await sdk.finishAuthenticationRegCode(of: try await user(identity), pin: pin)
        } catch {
            throw failure(error, of: "finish quick code")
        }
        return try issued(code)
    }
}
