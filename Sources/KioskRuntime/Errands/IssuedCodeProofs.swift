// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

// Digits that the server issues when it has taken the PIN.

struct OneTimePasswordProof: ErrandProof {
    func start(
        _ identity: KioskIdentity, _ file: SessionFile, _ steps: MPinStepRunner
    ) async throws(KioskFailure) {
        try await steps.startErrand("start one-time password") { () throws(MPinError) in
            try await steps.sdk.startAuthenticationOTP(of: try await steps.user(identity))
        }
    }

    func finish(
        _ identity: KioskIdentity, _ file: SessionFile, _ steps: MPinStepRunner
    ) async throws(KioskFailure) -> StepAnswer {
        let sdk = steps.sdk
        return try await steps.issue("finish one-time password", identity, file) { user, pin throws(MPinError) in
            try await sdk.finishAuthenticationOTP(of: user, pin: pin)
        }
    }
}

struct QuickCodeProof: ErrandProof {
    func start(
        _ identity: KioskIdentity, _ file: SessionFile, _ steps: MPinStepRunner
    ) async throws(KioskFailure) {
        try await steps.startErrand("start quick code") { () throws(MPinError) in
            try await steps.sdk.startAuthenticationRegCode(of: try await steps.user(identity))
        }
    }

    func finish(
        _ identity: KioskIdentity, _ file: SessionFile, _ steps: MPinStepRunner
    ) async throws(KioskFailure) -> StepAnswer {
        let sdk = steps.sdk
        return try await steps.issue("finish quick code", identity, file) { user, pin throws(MPinError) in
            try await sdk.finishAuthenticationRegCode(of: user, pin: pin)
        }
    }
}

extension MPinStepRunner {
    /// - Throws: also when the login succeeded and brought no code.
    fileprivate func issue(
        _ what: String, _ identity: KioskIdentity, _ file: SessionFile,
        _ body: (User, consuming Pin) async throws(MPinError) -> OneTimePassword
    ) async throws(KioskFailure) -> StepAnswer {
        let code = try await prove(what, identity, file, body)
        if let absence = code.absence {
            throw KioskFailure(KioskFailure.Reason(absence), status: code.status.name, passTwoWasSent: true)
        }
        file.keep(issued: code.digits)
        return .codeIssued(lifetime: .seconds(code.ttlSeconds))
    }
}
