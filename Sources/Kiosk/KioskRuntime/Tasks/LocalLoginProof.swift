// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// A login at the kiosk itself. Each has an access code of its own, which stays in the session's file for another try
/// after a wrong PIN. ``DoorStepRunner`` opens the door.
struct LocalLoginProof: TaskProof {
    func start(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) {
        guard let login = steps.file.request?.localLogin else { throw .noSuchLogin }
        let code = try await steps.freshAccessCode(of: login)
        steps.file.keep(code)
        try await steps.startLogin(of: identity, code)
    }

    /// Logs in, and hands the authorization code to the application's server. When it returns the person is logged in.
    func finish(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) -> StepAnswer {
        let (file, sdk) = (steps.file, steps.sdk)
        guard let login = file.request?.localLogin, let accessCode = file.ownCode else { throw .noSuchLogin }
        let code = try await steps.proveAndCount("finish local login", of: identity) { user, pin throws(MPinError) in
            try await sdk.finishAuthenticationMFA(of: user, pin: pin, accessCode: accessCode)
        }
        do throws(MPinError) {
            try await login.application.submit(authorizationCode: code, userID: identity.userID)
        } catch {
            let failure = steps.failure(error, of: "the application's login")
            // The platform has answered, so the PIN was used.
            throw KioskFailure(failure.outcome, failure.sentence, status: failure.status, passTwoWasSent: true)
        }
        return .authenticated()
    }
}

extension MPinStepRunner {
    /// Begins a session of the kiosk at the platform, and returns its unused access code.
    func freshAccessCode(of login: LocalLogin) async throws(KioskFailure) -> AccessCode {
        try await call("access code for a local login") { () throws(MPinError) in
            try await sdk.accessCode(fromAuthorizationURL: try await login.application.authorizationURL())
        }
    }
}
