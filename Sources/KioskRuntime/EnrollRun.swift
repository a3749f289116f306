// SPDX-License-Identifier: Apache-2.0

public import KioskCore
public import Logging
public import LoginValues
public import MPinClient

/// One registration for an operator or a script: the steps of the kiosk without its screens.
public struct EnrollRun: Sendable {
    private let steps: any LoginSteps
    private let trust: TrustPolicy

    /// - Parameters:
    ///   - sdk: initialized, with the same trust list.
    ///   - trust: decides about the backend before anything leaves the machine.
    public init(sdk: MPin, trust: TrustPolicy, logger: Logger) {
        self.init(steps: MPinSteps(sdk: sdk, logger: logger), trust: trust)
    }

    init(steps: any LoginSteps, trust: TrustPolicy) {
        self.steps = steps
        self.trust = trust
    }

    /// Registers an identity, or goes on with a registration that is under way; one that the server has forgotten since
    /// is begun anew.
    ///
    /// - Parameters:
    ///   - backend: where the client settings are.
    ///   - userID: sent as it is.
    ///   - activation: asked when the activation mail is out, and again after each answer that did not bring it further;
    ///     the failure of the last answer comes along. It is not asked when the server activates at once.
    ///   - newPIN: asked once; nil leaves the registration to be restarted, because its shares are given out once.
    /// - Returns: how it ended, also when the task is cancelled.
    public func run(
        backend: WebAddress, rpsPrefix: String = "rps", userID: String,
        activation: @Sendable (KioskFailure?) async -> ActivationAnswer, newPIN: @Sendable () async -> Pin?
    ) async -> RunOutcome {
        guard trust.allows(backend.origin) else { return RunOutcome(.untrusted) }
        let offer = ServiceOffer(name: DisplayText(""), backendURL: backend, rpsPrefix: rpsPrefix)
        let session: BackendSession
        do throws(KioskFailure) { session = try await steps.openBackend(offer, accessCode: nil) } catch {
            return RunOutcome(error.connectingOutcome(serviceIsKnown: true), status: error.status)
        }
        do throws(KioskFailure) {
            let known = session.identities.first { $0.userID.lowercased() == userID.lowercased() }
            guard let identity = try await begin(userID, known) else { return RunOutcome(.identityExists) }
            guard let confirmed = try await confirm(identity, wasUnderWay: known?.isUnderWay == true, activation) else {
                return RunOutcome(Task.isCancelled ? .stopped : .notVerified)
            }
            return try await choosePIN(confirmed, newPIN)
        } catch {
            return RunOutcome(Task.isCancelled ? .stopped : error.registrationOutcome, status: error.status)
        }
    }

    /// - Returns: nil when the person is registered already.
    private func begin(
        _ userID: String, _ known: KioskIdentity?
    ) async throws(KioskFailure) -> KioskIdentity? {
        switch known?.progress {
        case .registered: return nil
        case .startedRegistration, .activated: return known
        case .blocked, .unusable:
            if let known { await steps.delete(known) }
            return try await steps.startRegistration(userID: userID, accessCode: nil)
        case nil: return try await steps.startRegistration(userID: userID, accessCode: nil)
        }
    }

    /// - Parameter wasUnderWay: whether an earlier run began this registration. That run may have fetched the shares,
    ///   which are given out once, and gone before the PIN was chosen.
    /// - Returns: nil when the mail was not followed and it was left for later.
    /// - Throws: any other failure that `activation` did not want to wait out.
    private func confirm(
        _ identity: KioskIdentity, wasUnderWay: Bool,
        _ activation: @Sendable (KioskFailure?) async -> ActivationAnswer
    ) async throws(KioskFailure) -> KioskIdentity? {
        var identity = identity
        var failure: KioskFailure?
        var isActivated = identity.progress == .activated
        var mayBeginAnew = wasUnderWay
        while !Task.isCancelled {
            let answer: ActivationAnswer
            if mayBeginAnew, failure?.reason == .registrationExpired {
                mayBeginAnew = false
                answer = .sendAgain
            } else {
                answer = isActivated ? .confirmed : await activation(failure)
            }
            isActivated = false
            switch answer {
            case .confirmed:
                do throws(KioskFailure) {
                    try await steps.confirmRegistration(of: identity)
                    return identity
                } catch { failure = error }
            case .sendAgain:
                do throws(KioskFailure) {
                    identity = try await steps.restartRegistration(of: identity, accessCode: nil)
                    isActivated = identity.progress == .activated
                    failure = nil
                } catch { failure = error }
            case .later:
                if let failure, failure.reason != .notVerified { throw failure }
                return nil
            }
        }
        return nil
    }

    private func choosePIN(
        _ identity: KioskIdentity, _ newPIN: @Sendable () async -> Pin?
    ) async throws(KioskFailure) -> RunOutcome {
        guard let pin = await newPIN() else {
            await steps.forgetShares(of: identity)
            return RunOutcome(.declined)
        }
        guard !pin.isAllZeros else {
            await steps.forgetShares(of: identity)
            return RunOutcome(.weakPIN)
        }
        try await steps.finishRegistration(of: identity, pin: pin)
        return RunOutcome(.enrolled)
    }
}

extension KioskIdentity {
    fileprivate var isUnderWay: Bool { progress == .startedRegistration || progress == .activated }
}
