// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import LoginValues
import MPinClient

// A PIN is proved, for a browser or for what an errand is about.
extension MPinStepRunner {
    func startAuthentication(
        of identity: KioskIdentity, for errand: Errand, _ request: SessionRequest, _ file: SessionFile
    ) async throws(KioskFailure) -> StepAnswer {
        if let accessCode = request.accessCode {
            try await startLogin(of: identity, accessCode)
            return .authenticationStarted
        }
        switch errand {
        case .oneTimePassword:
            try await startErrand("start one-time password") { () throws(MPinError) in
                try await sdk.startAuthenticationOTP(of: try await user(identity))
            }
        case .quickCode:
            try await startErrand("start quick code") { () throws(MPinError) in
                try await sdk.startAuthenticationRegCode(of: try await user(identity))
            }
        case .localLogin:
            guard let login = request.localLogin else { throw .noSuchLogin }
            let code = try await freshAccessCode(of: login)
            file.keep(code)
            try await startLogin(of: identity, code)
        case .identities, .changePIN:
            try await call("start confirming") { () throws(MPinError) in
                try await sdk.startAuthentication(of: try await user(identity))
            }
        case .login, .enrolment, .verification, .signing: throw .noSuchLogin
        }
        return .authenticationStarted
    }

    private func startLogin(of identity: KioskIdentity, _ accessCode: AccessCode) async throws(KioskFailure) {
        try await call("start authentication") { () throws(MPinError) in
            try await sdk.startAuthentication(of: try await user(identity), accessCode: accessCode)
        }
    }

    func finishAuthentication(
        of identity: KioskIdentity, for errand: Errand, _ request: SessionRequest, _ file: SessionFile
    ) async throws(KioskFailure) -> StepAnswer {
        if let accessCode = request.accessCode {
            try await prove("finish authentication", identity, file) { user, pin throws(MPinError) in
                _ = try await sdk.finishAuthentication(of: user, pin: pin, accessCode: accessCode)
            }
            // A guest has gone by the time a person could press the key.
            return .authenticated(canLogout: file.card == nil ? await canLogOut(identity) : false)
        }
        switch errand {
        case .oneTimePassword:
            return try await issue("finish one-time password", identity, file) { user, pin throws(MPinError) in
                try await sdk.finishAuthenticationOTP(of: user, pin: pin)
            }
        case .quickCode:
            return try await issue("finish quick code", identity, file) { user, pin throws(MPinError) in
                try await sdk.finishAuthenticationRegCode(of: user, pin: pin)
            }
        case .localLogin:
            guard let login = request.localLogin, let code = file.ownCode else { throw .noSuchLogin }
            return try await finishLocalLogin(login, identity, code, file)
        case .identities:
            // What the login brings is thrown away: it was about the PIN.
            try await prove("finish confirming", identity, file) { user, pin throws(MPinError) in
                switch user.dialect {
                case .trust2023, .trust2025: _ = try await sdk.finishAuthenticationJWT(of: user, pin: pin)
                case .milagro, .mfaV1, .mfaV2, nil: _ = try await sdk.finishAuthentication(of: user, pin: pin)
                }
            }
            return .identityConfirmed
        case .login, .changePIN, .enrolment, .verification, .signing: throw .noSuchLogin
        }
    }

    // Digits that the server issues.

    /// - Throws: also when the login succeeded and brought no code.
    private func issue(
        _ what: String, _ identity: KioskIdentity, _ file: SessionFile,
        _ body: (User, consuming Pin) async throws(MPinError) -> OneTimePassword
    ) async throws(KioskFailure) -> StepAnswer {
        let code = try await prove(what, identity, file, body)
        if let absence = code.absence {
            throw KioskFailure(KioskFailure.Reason(absence), status: code.status.name, passTwoWasSent: true)
        }
        file.keep(issued: code.digits)
        return .codeIssued(lifetime: .seconds(code.ttlSeconds))
    }

    // A login at the kiosk itself. Each has an access code of its own, which stays in the session's file and is good
    // for a PIN that is typed again.

    /// A session of the kiosk's own at the platform: an access code that is not used yet.
    func freshAccessCode(of login: LocalLogin) async throws(KioskFailure) -> AccessCode {
        try await call("access code for a local login") { () throws(MPinError) in
            try await sdk.accessCode(fromAuthorizationURL: try await login.application.authorizationURL())
        }
    }

    /// Logs in, and hands the authorization code over to the application's server. When it returns the person is logged
    /// in.
    private func finishLocalLogin(
        _ login: LocalLogin, _ identity: KioskIdentity, _ accessCode: AccessCode, _ file: SessionFile
    ) async throws(KioskFailure) -> StepAnswer {
        let code = try await prove("finish local login", identity, file) { user, pin throws(MPinError) in
            try await sdk.finishAuthenticationMFA(of: user, pin: pin, accessCode: accessCode)
        }
        do throws(MPinError) {
            try await login.application.submit(authorizationCode: code, userID: identity.userID)
        } catch {
            let failure = failure(error, of: "the application's login")
            // The platform has answered, and what the PIN was good for is done.
            throw KioskFailure(failure.reason, status: failure.status, passTwoWasSent: true)
        }
        return .authenticated()
    }

    // After a login.

    /// Whether the relying party said how to end the session that this identity logged in last.
    private func canLogOut(_ identity: KioskIdentity) async -> Bool {
        guard let user = try? await sdk.user(identity.key) else { return false }
        return await sdk.canLogout(user)
    }

    func logOut(_ identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("logout") { () throws(MPinError) in try await sdk.logout(try await user(identity)) }
        return .loggedOut
    }

    /// Deletes this identity and no other, and says whether it is gone.
    func deleteForGood(_ identity: KioskIdentity) async throws(KioskFailure) -> StepAnswer {
        try await call("delete identity") { () throws(MPinError) in
            if let user = try await sdk.user(identity.key) { try await sdk.deleteUser(user) }
        }
        return .identityDeleted
    }
}

extension KioskFailure {
    /// The errand has no login of its own.
    fileprivate static let noSuchLogin = KioskFailure(.other, status: "FLOW_ERROR")
}
