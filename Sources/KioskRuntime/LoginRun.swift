// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import KioskPorts
public import Logging
public import LoginValues
public import MPinClient

/// One login for an operator or a script: the steps of the kiosk without its screens.
public struct LoginRun: Sendable {
    private let steps: any StepRunner
    private let trust: TrustPolicy

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: decides about the code before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.init(steps: MPinStepRunner(sdk: sdk, logger: logger), trust: trust)
    }

    init(steps: some StepRunner, trust: TrustPolicy) {
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
        let file = SessionFile()
        file.open(SessionRequest(request, isTyped: false))
        defer { file.close() }
        var ending = await logIn(request.baseURL.origin, file, userID, askPIN)
        if Task.isCancelled, ending.outcome != .loggedIn, ending.outcome != .outcomeUnknown {
            ending = RunOutcome(.stopped)
        }
        if ending.outcome.abandonsCode, let session = AbandonedSession(file) {
            // Also when this task is cancelled; the caller waits for it, and the request has its deadline.
            await Task { [steps] in await steps.abort(session) }.value
        }
        return ending
    }

    private func logIn(
        _ service: Origin, _ file: SessionFile, _ userID: String, _ askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async -> RunOutcome {
        do throws(KioskFailure) { _ = try await steps.run(.readService, in: file) } catch {
            return RunOutcome(error.outcome(at: .readingService), status: error.status)
        }
        let session: BackendSession
        do throws(KioskFailure) {
            guard case .backendOpened(let opened) = try await steps.run(.openBackend, in: file) else {
                return RunOutcome(.failed)
            }
            session = opened
        } catch {
            return RunOutcome(error.outcome(at: .connecting), status: error.status)
        }
        guard let offer = file.offer,
            let identity = session.identities.first(where: { $0.userID.isSameUserID(as: userID) })
        else { return RunOutcome(.unknownUser) }
        switch identity.progress {
        case .registered: break
        case .blocked: return RunOutcome(.blocked)
        case .startedRegistration, .activated, .unusable: return RunOutcome(.unknownUser)
        }
        let question = LoginQuestion(
            service: offer.name, place: PINPlace(backend: offer.backendURL.origin, service: service),
            application: session.application, customer: session.customer, userID: identity.userID)
        do throws(KioskFailure) {
            _ = try await steps.run(.startAuthentication(identity), in: file)
            guard let pin = await askPIN(question) else { return RunOutcome(.declined) }
            file.keep(pin)
            _ = try await steps.run(.finishAuthentication(identity), in: file)
        } catch {
            return RunOutcome(error.outcome(at: .authenticating), status: error.status)
        }
        return RunOutcome(.loggedIn)
    }
}

/// What a person consents to by giving the PIN.
public struct LoginQuestion: Sendable, Hashable {
    public let service: DisplayText
    public let place: PINPlace
    /// Empty when the backend does not say.
    public let application: DisplayText
    public let customer: DisplayText
    public let userID: String
}

/// Where a PIN takes effect, as a person is told who is asked for it.
public struct PINPlace: Sendable, Hashable {
    /// Host and port of the backend.
    public let domain: String
    /// Host and port of the service that the code is from; nil where it is the same.
    public let onBehalfOf: String?

    init(backend: Origin, service: Origin) {
        domain = backend.place
        onBehalfOf = service.place == backend.place ? nil : service.place
    }
}

extension PINPlace: CustomStringConvertible {
    public var description: String { "domain \(domain)" + (onBehalfOf.map { ", on behalf of \($0)" } ?? "") }
}

/// How a run for a script ended.
public struct RunOutcome: Sendable, Hashable {
    public let outcome: SessionOutcome
    /// The SDK's name of what failed, such as `HTTP_SERVER_ERROR`; nil when nothing of it did.
    public let status: String?

    init(_ outcome: SessionOutcome, status: String? = nil) {
        self.outcome = outcome
        self.status = status
    }

    public var exitCode: Int32 { outcome.exitCode }
}
