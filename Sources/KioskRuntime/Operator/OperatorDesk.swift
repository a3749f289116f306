// SPDX-License-Identifier: Apache-2.0

import KioskCore
public import Logging
public import LoginValues
public import MPinClient

/// Where an operator or a script has things done at a backend, without the kiosk's screens: the SDK, and one kind of failure for
/// all that can go wrong. Every failure's detail goes to the log.
public struct OperatorDesk: Sendable {
    let sdk: MPin
    let trust: TrustPolicy
    let logger: Logger

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: decides about a backend before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.sdk = sdk
        self.trust = trust
        self.logger = logger
    }

    func call<Result>(
        _ what: String, _ stage: KioskFailure.Stage, _ body: () async throws(MPinError) -> Result
    ) async throws(RunFailure) -> Result {
        do throws(MPinError) { return try await body() } catch { throw failure(error, of: what, stage) }
    }

    /// - Parameter stage: the same failure means different things at different stages.
    func failure(_ error: MPinError, of what: String, _ stage: KioskFailure.Stage) -> RunFailure {
        logger.notice("\(what) failed", metadata: ["status": "\(error.status.name)", "detail": "\(error.detail)"])
        let status = error.status.name
        return switch error.kind {
        // Nothing was asked.
        case .pinLength(let length): RunFailure(.pinLength(length...length))
        case .codeRefused: RunFailure(.codeRefused, status: status)
        case .mailTooSoon(until: let time?): RunFailure(.mailTooSoon(time), status: status)
        case .mailTooSoon(until: nil): RunFailure(.unreachable, status: status)
        case .verificationRefused: RunFailure(.notAuthorized, status: status)
        default: RunFailure(KioskFailure(error).outcome(at: stage), status: status)
        }
    }
}
