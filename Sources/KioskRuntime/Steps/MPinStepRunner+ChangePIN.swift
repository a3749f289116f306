// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

extension MPinStepRunner {
    /// The server judges the old PIN, and the new one takes its place in one save.
    func changePIN(of identity: KioskIdentity, _ file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        let old = try file.takeOldPIN()
        let new = try file.takePIN()
        do throws(MPinError) {
            _ = try await sdk.changePIN(of: try await user(identity), from: old, to: new)
        } catch {
            let failure = failure(error, of: "change of the PIN")
            // Whether the server counted or not: nothing was changed.
            throw failure.reason == .outcomeUnknown ? KioskFailure(.unreachable, status: failure.status) : failure
        }
        return .pinChanged
    }
}
