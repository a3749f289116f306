// SPDX-License-Identifier: Apache-2.0

public import LoginValues

// The variants of a login's end. Each asks for the PIN before it makes a request, because servers keep the state of
// pass 1 for seconds.
extension MPin {
    /// Logs this client in at the relying party. ``AuthenticationResult/resultData`` is what that party answered.
    ///
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` in the trust
    ///   dialects, which give applications a statement: ``finishAuthenticationJWT(of:pin:)``.
    public func finishAuthentication(of user: User, pin: consuming Pin?) async throws(MPinError) -> AuthenticationResult
    {
        AuthenticationResult(try await authenticate(user, pin, .relyingParty, in: "finishAuthentication"))
    }

    /// Logs the browser in that shows the code, scanned or typed (an access number). The server answers when the
    /// browser is through, 10 s later at most.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - pin: nil when the person gave none.
    ///   - pin1: there is no second factor.
    ///   - accessCode: the code that the browser shows.
    /// - Throws: ``MPinError/Kind/wrongPIN``; ``MPinError/Kind/blocked`` when that was one too many (the token is gone
    ///   then); ``MPinError/Kind/sessionExpired`` when the code is unknown or expired;
    ///   ``MPinError/Kind/browserTimedOut`` when the browser did not follow in time; ``MPinError/Kind/notAuthorized``,
    ///   ``MPinError/Kind/secretExpired``; ``MPinError/Kind/revoked``; ``MPinError/Kind/noPIN`` without a PIN;
    ///   ``MPinError/Kind/misuse`` when the authentication was not started; ``MPinError/Kind/pinLength(_:)`` in the
    ///   later dialects for a PIN of another length than the identity's; ``MPinError/Kind/outcomeUnknown``. After a
    ///   wrong PIN another try needs no new start.
    public func finishAuthentication(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil, accessCode: AccessCode
    ) async throws(MPinError) -> AuthenticationResult {
        AuthenticationResult(
            try await authenticate(user, pin, .browserSession(accessCode), in: "finishAuthentication"))
    }

    /// Logs in for a one-time password, which the person then types in somewhere else.
    ///
    /// - Returns: the password, or why the login succeeded without one: ``OneTimePassword/absence``.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` where the dialect
    ///   has none.
    public func finishAuthenticationOTP(of user: User, pin: consuming Pin?) async throws(MPinError) -> OneTimePassword {
        let reply = try await authenticate(user, pin, .oneTimePassword, in: "finishAuthenticationOTP")
        return reply.oneTimePassword ?? OneTimePassword(withoutDigits: .notOffered)
    }

    /// Logs in for an authorization code, with which the application's own server asks the platform who logged in.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - pin: nil when the person gave none.
    ///   - pin1: there is no second factor.
    ///   - accessCode: the session that ``accessCode(fromAuthorizationURL:)`` began; nil where there is none.
    /// - Returns: the code, visible ASCII.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/misuse`` also when no client id
    ///   is set; ``MPinError/Kind/outcomeUnknown`` when the login was accepted and no code came.
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

    /// Logs in for a code with which another device is enrolled: a registration code, bootstrap code or QuickCode.
    ///
    /// - Returns: the code, or why the login succeeded without one: ``OneTimePassword/absence``.
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notAllowed`` when this device
    ///   may make none; ``MPinError/Kind/notOffered`` where the dialect has none.
    public func finishAuthenticationRegCode(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) -> OneTimePassword {
        let (dialect, key) = try await beginWithNewest(.finishAuthentication, of: user)
        defer { end(key) }
        let reply = try await authenticate(key, dialect, pin, .registrationCode, in: "finishAuthenticationRegCode")
        if let jwt = reply.jwt,
            let exchange = dialect.registrationCode(jwt: jwt, deviceName: identities[key]?.deviceName ?? "")
        {
            do { return try await run(exchange, namedBy: dialect.backend.origin) } catch {
                throw error.isFinalRefusal ? await block(key, because: error) : error
            }
        }
        return reply.oneTimePassword ?? OneTimePassword(withoutDigits: .notOffered)
    }

    /// Logs in for a statement, signed by the platform, that the application's own server checks: a JSON web token with
    /// the identity as `sub` and the project as `aud`.
    ///
    /// - Throws: as ``finishAuthentication(of:pin:pin1:accessCode:)``; ``MPinError/Kind/notOffered`` where the dialect
    ///   has none; ``MPinError/Kind/outcomeUnknown`` when the login was accepted and no statement came.
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
        let (dialect, key) = try await beginWithNewest(.finishAuthentication, of: user)
        defer { end(key) }
        return try await authenticate(key, dialect, pin, target, in: call)
    }
}
