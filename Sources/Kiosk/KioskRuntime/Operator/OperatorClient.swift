// SPDX-License-Identifier: Apache-2.0

import KioskMachine
public import Logging
public import LoginValues
public import MPinClient

/// An operator's or a script's access to a backend, without the kiosk's screens: the SDK, with one type for all
/// failures. The detail of every failure is logged.
public struct OperatorClient: Sendable {
    let sdk: MPin
    let trust: TrustPolicy
    let logger: Logger

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: judges a backend before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.sdk = sdk
        self.trust = trust
        self.logger = logger
    }

    func call<Result>(
        _ what: String, _ stage: KioskFailure.Stage, _ body: () async throws(MPinError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(MPinError) { return try await body() } catch { throw failure(error, of: what, stage) }
    }

    /// - Parameter stage: the same failure means different things at different stages.
    func failure(_ error: MPinError, of what: String, _ stage: KioskFailure.Stage) -> CommandFailure {
        logger.notice("\(what) failed", metadata: ["status": "\(error.status.name)", "detail": "\(error.detail)"])
        let outcome = KioskFailure(error, at: stage).outcome
        return switch error.kind {
        // No request was made.
        case .pinLength(let length): CommandFailure(outcome, .digits(length...length))
        case .mailTooSoon(until: let time?): CommandFailure(outcome, status: error.status.name, .until(time))
        default: CommandFailure(outcome, status: error.status.name)
        }
    }
}
