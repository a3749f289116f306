// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// The SDK's part in a task of the menu: permits before the PIN is asked for, then the proof of the PIN and its
/// result. Each task that proves a PIN has a file here; a scanned login needs none.
protocol TaskProof: Sendable {
    func start(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure)

    /// - Returns: the answer for the machine: `taskDone`, unless the task has a special one.
    func finish(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) -> StepAnswer
}

extension TaskProof {
    func start(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) {
        try await steps.call("start confirming") { () throws(MPinError) in
            try await steps.sdk.startAuthentication(of: try await steps.user(identity))
        }
    }
}

extension KioskTask {
    /// Nil for a task with its own steps, and for one that only begins with a scanned code.
    var proof: (any TaskProof)? {
        switch self {
        case .oneTimePassword: IssuedCodeProof.oneTimePassword
        case .registrationCode: IssuedCodeProof.registrationCode
        case .localLogin: LocalLoginProof()
        case .identities: Confirmation()
        case .changePIN: ChangePINProof()
        case .login, .registerWithCode, .verification, .signing: nil
        }
    }
}

/// Proves the PIN and discards everything else that the login brings.
struct Confirmation: TaskProof {
    func finish(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) -> StepAnswer {
        let sdk = steps.sdk
        try await steps.proveAndCount("finish confirming", of: identity) { user, pin throws(MPinError) in
            switch user.dialect {
            case .trust2023, .trust2025: _ = try await sdk.finishAuthenticationJWT(of: user, pin: pin)
            case .milagro, .mfaV1, .mfaV2, nil: _ = try await sdk.finishAuthentication(of: user, pin: pin)
            }
        }
        return .taskDone
    }
}
