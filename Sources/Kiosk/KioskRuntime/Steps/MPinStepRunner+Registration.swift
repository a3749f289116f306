// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

extension MPinStepRunner {
    func startRegistration(of userID: String, _ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        let accessCode = try await codeForRegistration(request)
        return try await call("start registration") { () throws(MPinError) in
            let user = await sdk.makeNewUser(userID)
            return .registrationStarted(
                KioskIdentity(try await sdk.startRegistration(of: user, accessCode: accessCode)))
        }
    }

    /// Asks for the activation mail again. A registration that the server has forgotten is started again.
    func restartRegistration(
        of identity: KioskIdentity, _ request: SessionRequest
    ) async throws(KioskFailure) -> StepAnswer {
        let accessCode = try await codeForRegistration(request)
        return try await call("restart registration") { () throws(MPinError) in
            .registrationStarted(
                KioskIdentity(
                    try await sdk.restartRegistration(of: try await user(identity), accessCode: accessCode)))
        }
    }

    /// Registers an identity again by a mail to its own address. It stays as it is until that is finished.
    func renewRegistration(
        of identity: KioskIdentity, _ request: SessionRequest
    ) async throws(KioskFailure) -> StepAnswer {
        let dialect = try? await sdk.dialectOfBackend()
        if dialect?.verifiesAddresses == true {
            return try await call("start verification") { () throws(MPinError) in
                let user = try await user(identity)
                return .verificationStarted(
                    MailContent(try await sdk.startVerification(of: user, accessCode: request.accessCode).method))
            }
        }
        let accessCode = try await codeForRegistration(request)
        // The MFA platform registers only within the session of a page or a door.
        if accessCode == nil, dialect == .mfaV1 || dialect == .mfaV2 {
            throw KioskFailure(.notOffered, status: Status.flowError.name)
        }
        return try await call("renew registration") { () throws(MPinError) in
            .registrationStarted(
                KioskIdentity(
                    try await sdk.renewRegistration(of: try await user(identity), accessCode: accessCode)))
        }
    }

    /// The access code for a registration: the scanned one, or one of the kiosk's own.
    private func codeForRegistration(_ request: SessionRequest) async throws(KioskFailure) -> AccessCode? {
        guard let login = request.localLogin else { return request.accessCode }
        return try await freshAccessCode(of: login)
    }

    func confirmRegistration(of identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("confirm registration") { () throws(MPinError) in
            _ = try await sdk.confirmRegistration(of: try await user(identity))
        }
        return .registrationConfirmed
    }

    func finishRegistration(of identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await prove("finish registration", of: identity) { user, pin throws(MPinError) in
            .registrationFinished(KioskIdentity(try await sdk.finishRegistration(of: user, pin: pin)))
        }
    }

    // Registering with a code that activates at once.

    /// Starts a registration with an activation code. An unfinished one of the same person is removed.
    func startRegistration(withCodeOf userID: String) async throws(KioskFailure) -> StepAnswer {
        let accessCode = file.request?.accessCode
        // In that dialect every registration belongs to a browser's session, which a code does not replace.
        if accessCode == nil, (try? await sdk.dialectOfBackend()) == .mfaV1 {
            throw KioskFailure(.notOffered, status: Status.flowError.name)
        }
        let code = file.typedCode
        return try await call("start registration with a code") { () throws(MPinError) in
            let user = try await newcomer(userID)
            return .registrationStarted(
                KioskIdentity(
                    user.state == .blocked
                        ? try await sdk.renewRegistration(of: user, activateCode: code, accessCode: accessCode)
                        : try await sdk.startRegistration(of: user, activateCode: code, accessCode: accessCode)))
        }
    }

    func startVerification(of userID: String, _ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        try await startTask("start verification") { () throws(MPinError) -> StepAnswer in
            let user = try await newcomer(userID)
            do throws(MPinError) {
                let start = try await sdk.startVerification(of: user, accessCode: request.accessCode)
                return .verificationStarted(MailContent(start.method))
            } catch {
                // The person comes back to a mail that was already sent.
                guard case .mailTooSoon = error.kind, user.state == .startedVerification, !request.needsNewMail else {
                    throw error
                }
                return .verificationStarted(.codeOrLink)
            }
        }
    }

    func finishVerification(of userID: String) async throws(KioskFailure) -> StepAnswer {
        let code = file.typedCode
        let token = try await call("finish verification") { () throws(MPinError) in
            try await sdk.finishVerification(of: try await newcomer(userID), code: code).activationToken
        }
        file.keep(token: token)
        return .verified
    }

    /// The identity for a person who is not registered. An unfinished verification stays, and so does a blocked
    /// identity that may come back. Any other unfinished registration is removed, because its person does not continue
    /// it.
    private func newcomer(_ userID: String) async throws(MPinError) -> User {
        let known = try await sdk.users().first { $0.identity.isSameUserID(as: userID) }
        guard let known else { return await sdk.makeNewUser(userID) }
        switch known.state {
        case .registered, .startedVerification: return known
        case .blocked where known.blockedUntil != nil: return known
        case .invalid, .startedRegistration, .activated, .blocked:
            try await sdk.deleteUser(known)
            return await sdk.makeNewUser(userID)
        }
    }
}

extension MailContent {
    init(_ method: VerificationStart.Method) {
        switch method {
        case .code: self = .code
        case .link: self = .link
        case .codeOrLink: self = .codeOrLink
        }
    }
}

extension DialectName {
    /// Whether registering takes the code of a mail that verifies the address, instead of another device's.
    var verifiesAddresses: Bool {
        switch self {
        case .trust2023, .trust2025: true
        case .milagro, .mfaV1, .mfaV2: false
        }
    }
}
