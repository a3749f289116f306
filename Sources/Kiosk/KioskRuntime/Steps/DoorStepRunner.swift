// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import Logging
import MPinClient

/// Opens the door after a successful login at the kiosk itself, and leaves all other steps to another runner.
struct DoorStepRunner<Runner: StepRunner>: StepRunner {
    let steps: Runner
    let logger: Logger

    func run(_ step: KioskStep, in file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        guard let door = file.request?.localLogin?.door else { return try await steps.run(step, in: file) }
        switch step {
        case .startAuthentication(let identity, .localLogin):
            // Refuse before the login if the door could not be opened after it.
            guard await door.wait(for: identity.userID) == nil else {
                throw KioskFailure(.tooOften, status: "TOO_OFTEN")
            }
            return try await steps.run(step, in: file)
        case .finishAuthentication(let identity, .localLogin):
            _ = try await steps.run(step, in: file)
            do throws(DoorFailure) { try await door.open(for: identity.userID) } catch {
                logger.error("the door did not open", metadata: ["reason": "\(error)"])
                throw KioskFailure(error)
            }
            return .taskDone
        default: return try await steps.run(step, in: file)
        }
    }

    func abort(_ session: AbandonedSession) async { await steps.abort(session) }
    func forgetShares(of identity: KioskIdentity) async { await steps.forgetShares(of: identity) }
    func delete(_ identity: KioskIdentity) async { await steps.delete(identity) }
    func dismissGuests() async { await steps.dismissGuests() }
    func forgetTries(of key: IdentityKey) async { await steps.forgetTries(of: key) }
}

extension KioskFailure {
    fileprivate init(_ failure: DoorFailure) {
        let outcome: SessionOutcome =
            switch failure.reason {
            case .tooOften: .tooOften
            case .broken: .doorFailed
            case .unknown: .doorUnknown
            }
        self.init(outcome, status: "DOOR", passTwoWasSent: true)
    }
}
