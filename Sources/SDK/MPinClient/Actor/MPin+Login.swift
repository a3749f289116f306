// SPDX-License-Identifier: Apache-2.0

import Logging
public import LoginValues

// The start of a login, before the person is asked for the PIN.
extension MPin {
    /// Fetches the time permit for a login, if the backend uses permits. Call it before the PIN is asked for. With a
    /// code it also announces the user to the browser's session; a failure of that is ignored.
    ///
    /// - Parameters:
    ///   - user: a registered identity.
    ///   - accessCode: the code that the browser shows; nil, the default, for a login without a browser's session.
    /// - Throws: ``MPinError/Kind/revoked`` when the server refuses the identity. It is then blocked, unless the
    ///   refusal came over plain http: ``MPinError/isFinalRefusal``.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func startAuthentication(of user: User, accessCode: AccessCode? = nil) async throws(MPinError) {
        try await start(user, accessCode: accessCode, in: "startAuthentication")
    }

    /// Starts a login for a one-time password: as ``startAuthentication(of:accessCode:)`` without a session.
    ///
    /// - Throws: ``MPinError/Kind/notOffered`` where the dialect has no one-time passwords.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func startAuthenticationOTP(of user: User) async throws(MPinError) {
        try await start(user, for: .oneTimePassword, in: "startAuthenticationOTP")
    }

    /// Starts a login for a registration code: as ``startAuthentication(of:accessCode:)`` without a session.
    ///
    /// - Throws: ``MPinError/Kind/notOffered`` where the dialect has no registration codes.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func startAuthenticationRegCode(of user: User) async throws(MPinError) {
        try await start(user, for: .registrationCode, in: "startAuthenticationRegCode")
    }

    private func start(
        _ user: User, for target: AuthenticationTarget? = nil, accessCode: AccessCode? = nil, in call: StaticString
    ) async throws(MPinError) {
        let (dialect, key) = try begin(.startAuthentication, of: user)
        defer { end(key) }
        if let target { try dialect.require(target, in: call) }
        guard var record = identities[key], var credential = record.credentialOrHeld else { return }
        work[key].login.started = nil
        let outcome: TimePermitFlow.Outcome
        do {
            outcome = try await run(
                TimePermitFlow(
                    dialect: dialect, mpinID: record.mpinID, userID: key.userID, accessCode: accessCode,
                    cache: credential.permitCache),
                namedBy: dialect.backend.origin)
        } catch {
            throw await blockIfFinal(key, because: error)
        }
        if let cache = outcome.newCache {
            credential.permitCache = cache
            record.replaceCredential(credential)
            // The cache saves a request tomorrow; a full disk must not prevent a login today.
            do { try await save(record, for: key) } catch {
                logger.warning("a time permit could not be cached", metadata: ["cause": "\(error.detail)"])
            }
        }
        work[key].login.started = StartedAuthentication(permit: outcome.permit)
    }

    /// Checks the last digit of a typed access number, before a login with it. Makes no request. Accepts any number of
    /// a backend without check digits. Not for scanned codes.
    ///
    /// - Throws: ``MPinError/Kind/accessCodeMistyped``; ``MPinError/Kind/misuse`` when no backend is set.
    public func checkAccessNumber(_ number: AccessCode) throws(MPinError) {
        let parameters = try requireBackend("checkAccessNumber").profile.parameters
        guard !AccessNumberRule.applies(parameters) || AccessNumberRule.isValid(number) else {
            throw MPinError(
                .accessCodeMistyped, detail: "checkAccessNumber: the last digit is wrong; type it again")
        }
    }
}

// The variants of a login's end. Each takes the PIN before it makes a request, because servers keep the state of pass
// 1 for seconds.
extension MPin {
    /// Logs this client in at the relying party. ``AuthenticationResult/resultData`` is that party's reply.
    ///
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` in the trust
    ///   dialects, which give applications a statement: ``finishAuthenticationJWT(of:pin:)``.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthentication(of user: User, pin: consuming Pin?) async throws(MPinError) -> AuthenticationResult
    {
        AuthenticationResult(try await authenticate(user, pin, .relyingParty, in: "finishAuthentication"))
    }

    /// Logs in the browser that shows the code, scanned or typed (an access number). The server answers when the
    /// browser has followed, after 10 s at most.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - pin: nil when the person gave none.
    ///   - pin1: there is no second factor.
    ///   - accessCode: the code that the browser shows.
    /// - Throws: ``MPinError/Kind/wrongPIN``; ``MPinError/Kind/blocked`` after one wrong PIN too many (then only
    ///   ``reconsider(_:)`` or a new registration helps); ``MPinError/Kind/sessionExpired`` when the code is unknown
    ///   or expired; ``MPinError/Kind/browserTimedOut`` when the browser did not follow in time;
    ///   ``MPinError/Kind/notAuthorized``, ``MPinError/Kind/secretExpired``; ``MPinError/Kind/revoked``;
    ///   ``MPinError/Kind/noPIN`` without a PIN; ``MPinError/Kind/misuse`` when the authentication was not started;
    ///   ``MPinError/Kind/pinLength(_:)`` in the later dialects for a PIN of another length than the identity's;
    ///   ``MPinError/Kind/outcomeUnknown``. After a wrong PIN another try needs no new start.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthentication(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil, accessCode: AccessCode
    ) async throws(MPinError) -> AuthenticationResult {
        AuthenticationResult(
            try await authenticate(user, pin, .browserSession(accessCode), in: "finishAuthentication"))
    }

    /// Logs in for a one-time password, which the person then types elsewhere.
    ///
    /// - Returns: the password, or the reason why the login succeeded without one: ``OneTimePassword/absence``.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` where the dialect
    ///   has no one-time passwords.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthenticationOTP(of user: User, pin: consuming Pin?) async throws(MPinError) -> OneTimePassword {
        let reply = try await authenticate(user, pin, .oneTimePassword, in: "finishAuthenticationOTP")
        return reply.oneTimePassword ?? OneTimePassword(withoutDigits: .notOffered)
    }

    /// Logs in for an authorization code. With it the application's own server asks the platform who logged in.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - pin: nil when the person gave none.
    ///   - pin1: there is no second factor.
    ///   - accessCode: the session that ``accessCode(fromAuthorizationURL:)`` began, if there is one.
    /// - Returns: the code, visible ASCII.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/misuse`` also when no client
    ///   id is set; ``MPinError/Kind/outcomeUnknown`` when the login was accepted and no code came.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthenticationMFA(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil, accessCode: AccessCode? = nil
    ) async throws(MPinError) -> SecretBytes {
        guard configuration.companyID != nil else {
            throw MPinError(
                .misuse, detail: "finishAuthenticationMFA: no client id is set; call setClientID first")
        }
        let reply = try await authenticate(user, pin, .authorizationCode(accessCode), in: "finishAuthenticationMFA")
        return try MPin.required(
            reply.authorizationCode,
            "finishAuthenticationMFA: the login was accepted, but the backend gives no authorization codes")
    }

    /// Logs in for a registration code, with which another device registers.
    ///
    /// - Returns: the code, or the reason why the login succeeded without one: ``OneTimePassword/absence``.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notAllowed`` when this device
    ///   may not make codes; ``MPinError/Kind/notOffered`` where the dialect has no registration codes.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthenticationRegCode(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) -> OneTimePassword {
        let (dialect, key) = try begin(.finishAuthentication, of: user)
        defer { end(key) }
        let reply = try await authenticate(
            pin, ProofPurpose(of: key, dialect, for: .registrationCode, in: "finishAuthenticationRegCode"))
        if let jwt = reply.jwt,
            let exchange = dialect.registrationCode(jwt: jwt, deviceName: identities[key]?.deviceName ?? "")
        {
            do { return try await run(exchange, namedBy: dialect.backend.origin) } catch {
                throw await blockIfFinal(key, because: error)
            }
        }
        return reply.oneTimePassword ?? OneTimePassword(withoutDigits: .notOffered)
    }

    /// Logs in for a statement, signed by the platform, that the application's own server checks: a JSON web token
    /// with the identity as `sub` and the project as `aud`.
    ///
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` where the dialect
    ///   has no statements; ``MPinError/Kind/outcomeUnknown`` when the login was accepted and no statement came.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``, with the PIN typed again; never after ``MPinError/Kind/outcomeUnknown``.
    public func finishAuthenticationJWT(of user: User, pin: consuming Pin?) async throws(MPinError) -> SecretBytes {
        let reply = try await authenticate(user, pin, .jwt, in: "finishAuthenticationJWT")
        return try MPin.required(
            reply.jwt, "finishAuthenticationJWT: the login was accepted, but no statement came")
    }

    private static func required(_ secret: SecretBytes?, _ detail: String) throws(MPinError) -> SecretBytes {
        guard let secret else {
            throw MPinError(.outcomeUnknown, status: .responseParseError, detail: detail, httpStatus: 200)
        }
        return secret
    }

    private func authenticate(
        _ user: User, _ pin: consuming Pin?, _ target: AuthenticationTarget, in call: StaticString
    ) async throws(MPinError) -> LoginReply {
        let (dialect, key) = try begin(.finishAuthentication, of: user)
        defer { end(key) }
        return try await authenticate(pin, ProofPurpose(of: key, dialect, for: target, in: call))
    }

    /// Finishes a login that was started before.
    private func authenticate(_ pin: consuming Pin?, _ purpose: ProofPurpose) async throws(MPinError) -> LoginReply {
        var purpose = purpose
        let (key, call) = (purpose.key, purpose.call)
        try purpose.dialect.require(purpose.target, in: call)
        guard let started = work[key].login.started else {
            throw MPinError(.misuse, detail: "\(call): start the authentication of this identity first")
        }
        purpose.permit = started.permit
        let reply = try await prove(try MPin.required(pin, in: call), purpose)
        work[key].login.started = nil
        if case .browserSession = purpose.target { work[key].logoutTicket = reply.logout }
        return reply
    }
}

// The end of the browser's session.
extension MPin {
    /// Whether the relying party gave the data for ending the browser session of this identity's last login with an
    /// access code.
    public func canLogout(_ user: User) -> Bool { work[user.key].logoutTicket != nil }

    /// Ends the browser session of this identity's last login with an access code.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` when there is no such session, and any refusal by the relying party: the
    ///   session may be ended later then.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``.
    public func logout(_ user: User) async throws(MPinError) {
        let (dialect, key) = try begin(.logout, of: user)
        defer { end(key) }
        guard let ticket = work[key].logoutTicket else {
            throw MPinError(
                .misuse, detail: "logout: no browser session is known that could be ended from here")
        }
        try await run(dialect.logout(ticket), namedBy: dialect.backend.origin)
        work[key].logoutTicket = nil
    }
}
