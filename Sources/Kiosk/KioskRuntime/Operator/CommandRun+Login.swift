// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import KioskPorts
public import LoginValues

extension CommandRun {
    /// Logs a browser in.
    ///
    /// - Parameters:
    ///   - symbol: the bytes of the QR code.
    ///   - userID: a registered identity; case does not matter.
    ///   - askPIN: called once, when everything is ready; nil declines.
    /// - Throws: after it told the server that the login was given up, if the server should know.
    public func logIn(
        symbol: SecretBytes, userID: String, askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async throws(KioskFailure) {
        defer { file.close() }
        do throws(KioskFailure) { try await logIn(symbol, userID, askPIN) } catch {
            if error.outcome.abandonsCode, let session = AbandonedSession(file) { await steps.abort(session) }
            throw error
        }
    }

    private func logIn(
        _ symbol: SecretBytes, _ userID: String, _ askPIN: @Sendable (LoginQuestion) async -> Pin?
    ) async throws(KioskFailure) {
        let session = try await session(of: symbol)
        switch session.obstacle {
        case .codeExpired?: throw KioskFailure(.sessionExpired)
        case .browserElsewhere?: throw KioskFailure(.notAuthorized)
        case nil: break
        }
        let identity = try session.identities.identity(of: userID, by: \.userID)
        switch identity.progress {
        case .registered: break
        case .blocked where identity.isHeld: break
        case .blocked: throw KioskFailure(.blocked)
        case .startedRegistration, .activated, .unusable: throw KioskFailure(.unknownUser)
        }
        let question = LoginQuestion(
            service: file.offer?.name ?? DisplayText(""), place: place, task: session.task, userID: identity.userID,
            isBrowserElsewhere: session.isBrowserElsewhere)
        try await take(.startAuthentication(identity))
        try await keep { await askPIN(question) }
        try await take(.finishAuthentication(identity))
    }
}

/// The login that a person consents to by giving the PIN.
public struct LoginQuestion: Sendable, Hashable {
    public let service: DisplayText
    /// The host at which the PIN takes effect.
    public let place: String
    /// The request, in the words of the service; empty when it has none.
    public let task: DisplayText
    public let userID: String
    /// Whether the browser to log in is elsewhere than this machine.
    public let isBrowserElsewhere: Bool
}
