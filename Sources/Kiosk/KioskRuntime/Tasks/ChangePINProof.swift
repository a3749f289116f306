// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

/// Lets the server check the old PIN, and replaces it by the new one in one save.
struct ChangePINProof: TaskProof {
    func finish(_ identity: KioskIdentity, with steps: MPinStepRunner) async throws(KioskFailure) -> StepAnswer {
        let old = try steps.file.takeOldPIN()
        let new = try steps.file.takePIN()
        let before = await steps.countTry(of: identity)
        do throws(MPinError) {
            _ = try await steps.sdk.changePIN(of: try await steps.user(identity), from: old, to: new)
            await steps.settleTry(of: identity, before, nil)
        } catch {
            await steps.settleTry(of: identity, before, error)
            let failure = steps.failure(error, of: "change of the PIN")
            // The PIN is unchanged, whether the server counted or not.
            throw failure.outcome == .outcomeUnknown
                ? KioskFailure(.unreachable, status: failure.status, passTwoWasSent: true) : failure
        }
        return .taskDone
    }
}
