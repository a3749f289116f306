// SPDX-License-Identifier: Apache-2.0

import KioskMachine
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
    ///   - trust: judges the code before anything leaves the machine.
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
    ///   - askPIN: called once, when everything is ready; nil declines.
    /// - Throws: after it told the server that the login was given up, if the server should know.
    public func run(
        symbol: SecretBytes, userID: String, askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async throws(CommandFailure) {
        guard let request = try? symbol.withBytes({ try LoginRequest(symbol: $0) }) else {
            throw CommandFailure(.invalidCode)
        }
        try trust.require(request.baseURL.origin)
        let file = SessionFile()
        file.open(SessionRequest(request, isTyped: false))
        defer { file.close() }
        do throws(CommandFailure) { try await logIn(request.baseURL.origin, file, userID, askPIN) } catch {
            if error.outcome.abandonsCode, let session = AbandonedSession(file) { await steps.abort(session) }
            throw error
        }
    }

    private func logIn(
        _ service: Origin, _ file: SessionFile, _ userID: String, _ askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async throws(CommandFailure) {
        try await run(.readService, file)
        guard case .backendOpened(let session) = try await run(.openBackend, file) else {
            throw CommandFailure(.failed)
        }
        switch session.obstacle {
        case .codeExpired?: throw CommandFailure(.sessionExpired)
        case .browserElsewhere?: throw CommandFailure(.notAuthorized)
        case nil: break
        }
        guard let offer = file.offer,
            let identity = session.identities.first(where: { $0.userID.isSameUserID(as: userID) })
        else { throw CommandFailure(.unknownUser) }
        switch identity.progress {
        case .registered: break
        case .blocked where identity.isHeld: break
        case .blocked: throw CommandFailure(.blocked)
        case .startedRegistration, .activated, .unusable: throw CommandFailure(.unknownUser)
        }
        let question = LoginQuestion(
            service: offer.name, place: PINContext(backend: offer.backendURL.origin, service: service),
            task: session.task, userID: identity.userID, isBrowserElsewhere: session.isBrowserElsewhere)
        try await run(.startAuthentication(identity), file)
        guard let pin = await askPIN(question) else { throw CommandFailure(.declined) }
        file.keep(pin)
        try await run(.finishAuthentication(identity), file)
    }

    @discardableResult private func run(
        _ step: KioskStep, _ file: SessionFile
    ) async throws(CommandFailure) -> StepAnswer {
        do throws(KioskFailure) { return try await steps.run(step, in: file) } catch {
            throw CommandFailure(error.outcome, status: error.status)
        }
    }
}

/// The login that a person consents to by giving the PIN.
public struct LoginQuestion: Sendable, Hashable {
    public let service: DisplayText
    public let place: PINContext
    /// The request, in the words of the service; empty when it says nothing.
    public let task: DisplayText
    public let userID: String
    /// Whether the browser to log in is elsewhere than this machine.
    public let isBrowserElsewhere: Bool
}

/// The host at which a PIN takes effect, to be shown when the PIN is asked for.
public struct PINContext: Sendable, Hashable {
    /// Host and port of the backend.
    public let domain: String
    /// Host and port of the code's service; nil if the backend's are the same.
    public let onBehalfOf: String?

    init(backend: Origin, service: Origin) {
        domain = backend.hostAndPort
        onBehalfOf = service.hostAndPort == backend.hostAndPort ? nil : service.hostAndPort
    }
}

extension PINContext: CustomStringConvertible {
    public var description: String { "domain \(domain)" + (onBehalfOf.map { ", on behalf of \($0)" } ?? "") }
}
