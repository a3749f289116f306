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

    /// Sends the activation mail again. A registration that the server has forgotten is begun anew.
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

    /// Registers an identity anew that stays as it is until that is finished: by a mail that goes to its own address.
    func renewRegistration(
        of identity: KioskIdentity, _ request: SessionRequest
    ) async throws(KioskFailure) -> StepAnswer {
        let dialect = try? await sdk.dialectOfBackend()
        if dialect?.verifiesAddresses == true {
            try await call("start verification") { () throws(MPinError) in
                _ = try await sdk.startVerification(of: try await user(identity), accessCode: request.accessCode)
            }
            return .verificationStarted
        }
        let accessCode = try await codeForRegistration(request)
        // The MFA platform registers within the session of a page or a door only.
        if accessCode == nil, dialect == .mfaV1 || dialect == .mfaV2 {
            throw KioskFailure(.notOffered, status: Status.flowError.name)
        }
        return try await call("renew registration") { () throws(MPinError) in
            .registrationStarted(
                KioskIdentity(
                    try await sdk.renewRegistration(of: try await user(identity), accessCode: accessCode)))
        }
    }

    /// The access code that a registration is for: the one that was scanned, or one of the kiosk's own.
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

    func finishRegistration(
        of identity: KioskIdentity, _ file: SessionFile
    ) async throws(KioskFailure) -> StepAnswer {
        try await prove("finish registration", identity, file) { user, pin throws(MPinError) in
            .registrationFinished(KioskIdentity(try await sdk.finishRegistration(of: user, pin: pin)))
        }
    }

    // With something that activates at once.

    /// Starts a registration with an activation code. Whatever an earlier visit of the same person left unfinished
    /// makes room.
    func startRegistration(of userID: String, by file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        // There every registration belongs to a browser's session, and a code stands for none.
        guard (try? await sdk.dialectOfBackend()) != .mfaV1 else {
            throw KioskFailure(.notOffered, status: Status.flowError.name)
        }
        let code = file.typedCode
        return try await call("start registration with a code") { () throws(MPinError) in
            let user = try await newcomer(userID)
            return .registrationStarted(
                KioskIdentity(
                    user.state == .blocked
                        ? try await sdk.renewRegistration(of: user, activateCode: code)
                        : try await sdk.startRegistration(of: user, activateCode: code)))
        }
    }

    func startVerification(of userID: String, _ request: SessionRequest) async throws(KioskFailure) -> StepAnswer {
        try await startErrand("start verification") { () throws(MPinError) in
            let user = try await newcomer(userID)
            do throws(MPinError) {
                _ = try await sdk.startVerification(of: user, accessCode: request.accessCode)
            } catch {
                // The person comes back to a mail that is on its way, or there.
                guard case .mailTooSoon = error.kind, user.state == .startedVerification else { throw error }
            }
        }
        return .verificationStarted
    }

    func finishVerification(of userID: String, _ file: SessionFile) async throws(KioskFailure) -> StepAnswer {
        let code = file.typedCode
        let token = try await call("finish verification") { () throws(MPinError) in
            try await sdk.finishVerification(of: try await newcomer(userID), code: code).activationToken
        }
        file.keep(token: token)
        return .verified
    }

    /// A person who is not registered. Whose address is being verified stays, and so does one who is blocked and may
    /// come back; any other registration that was never finished makes room, because its person does not come back to
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

extension DialectName {
    /// Whether registering takes the code of a mail that verifies the address, or of another device.
    var verifiesAddresses: Bool {
        switch self {
        case .trust2023, .trust2025: true
        case .milagro, .mfaV1, .mfaV2: false
        }
    }
}
