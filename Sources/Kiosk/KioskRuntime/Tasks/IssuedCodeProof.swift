// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// Fetches digits that the server issues when it has accepted the PIN.
struct IssuedCodeProof: TaskProof {
    /// The name in the log.
    let name: String
    let begin: @Sendable (MPin, User) async throws(MPinError) -> Void
    let end: @Sendable (MPin, User, consuming Pin) async throws(MPinError) -> OneTimePassword

    static let oneTimePassword = IssuedCodeProof(
        name: "one-time password",
        begin: { sdk, user throws(MPinError) in try await sdk.startAuthenticationOTP(of: user) },
        end: { sdk, user, pin throws(MPinError) in try await sdk.finishAuthenticationOTP(of: user, pin: pin) })
    static let registrationCode = IssuedCodeProof(
        name: "registration code",
        begin: { sdk, user throws(MPinError) in try await sdk.startAuthenticationRegCode(of: user) },
        end: { sdk, user, pin throws(MPinError) in try await sdk.finishAuthenticationRegCode(of: user, pin: pin) })

    func start(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) {
        try await steps.startTask("start \(name)") { () throws(MPinError) in
            try await begin(steps.sdk, try await steps.user(identity))
        }
    }

    /// - Throws: also when the login succeeded and brought no code.
    func finish(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) -> StepAnswer {
        let code = try await steps.proveAndCount("finish \(name)", of: identity) { user, pin throws(MPinError) in
            try await end(steps.sdk, user, pin)
        }
        if let absence = code.absence {
            throw KioskFailure(
                SessionOutcome(absence, at: .authenticating), status: code.status.name, passTwoWasSent: true)
        }
        steps.file.keep(issued: code.digits)
        return .codeIssued(lifetime: .seconds(code.ttlSeconds), expires: code.expires?.expireTimeSeconds)
    }
}
