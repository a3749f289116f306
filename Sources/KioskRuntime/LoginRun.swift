// SPDX-License-Identifier: Apache-2.0

import KioskCore
public import Logging
public import LoginValues
public import MPinClient

/// One login for an operator or a script: the steps of the kiosk without its screens.
public struct LoginRun: Sendable {
    private let steps: any LoginSteps
    private let trust: TrustPolicy

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: decides about the code before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.init(steps: MPinSteps(sdk: sdk, logger: logger), trust: trust)
    }

    init(steps: any LoginSteps, trust: TrustPolicy) {
        self.steps = steps
        self.trust = trust
    }

    /// Logs a browser in.
    ///
    /// - Parameters:
    ///   - symbol: the bytes of the QR code.
    ///   - userID: a registered identity; case does not matter.
    ///   - askPIN: asked once, when everything is ready; nil declines, and the server is told.
    /// - Returns: how it ended, also when the task is cancelled.
    public func run(
        symbol: SecretBytes, userID: String, askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async -> RunOutcome {
        let request: LoginRequest
        do {
            request = try symbol.withBytes { bytes throws(LoginRequestError) in try LoginRequest(symbol: bytes) }
        } catch {
            return RunOutcome(.invalidCode)
        }
        switch trust.judge(request.baseURL.origin) {
        case .allowed: break
        case .refused(.loopbackHTTP): return RunOutcome(.loopbackHTTP)
        case .refused: return RunOutcome(.untrusted)
        }
        var ending = await connect(request, userID, askPIN)
        if Task.isCancelled, ending.outcome != .loggedIn, ending.outcome != .outcomeUnknown {
            ending = RunOutcome(.stopped)
        }
        if ending.outcome.abandonsCode {
            // Also when this task is cancelled; the caller waits for it, and the request has its deadline.
            await Task { [steps] in await steps.abort(request.accessCode) }.value
        }
        return ending
    }

    private func connect(
        _ request: LoginRequest, _ userID: String, _ askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async -> RunOutcome {
        let offer: ServiceOffer
        let session: BackendSession
        do throws(KioskFailure) { offer = try await steps.readService(at: request.baseURL) } catch {
            return RunOutcome(error.outcome(at: .readingService), status: error.status)
        }
        do throws(KioskFailure) {
            session = try await steps.openBackend(offer, accessCode: request.accessCode)
        } catch {
            return RunOutcome(error.outcome(at: .connecting), status: error.status)
        }
        guard let identity = session.identities.first(where: { $0.userID.isSameUserID(as: userID) }) else {
            return RunOutcome(.unknownUser)
        }
        switch identity.progress {
        case .registered: break
        case .blocked: return RunOutcome(.blocked)
        case .startedRegistration, .activated, .unusable: return RunOutcome(.unknownUser)
        }
        let question = LoginQuestion(
            service: offer.name, place: PINPlace(backend: offer.backendURL.origin, service: request.baseURL.origin),
            application: session.application, customer: session.customer, userID: identity.userID)
        do throws(KioskFailure) {
            try await steps.startAuthentication(of: identity, accessCode: request.accessCode)
            guard let pin = await askPIN(question) else { return RunOutcome(.declined) }
            try await steps.finishAuthentication(of: identity, pin: pin, accessCode: request.accessCode)
        } catch {
            return RunOutcome(error.outcome(at: .authenticating), status: error.status)
        }
        return RunOutcome(.loggedIn)
    }
}
