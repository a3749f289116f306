// SPDX-License-Identifier: Apache-2.0

import Logging
public import LoginValues
import MPinCrypto

extension MPin {
    /// Fetches what a login needs before the PIN is asked for: the time permit, if the backend uses permits. With a code
    /// it also tells the browser's session who is going to log in; whether that works does not matter.
    ///
    /// - Throws: ``Status/revoked`` when the server refuses the identity for good: it is then blocked and its token is
    ///   gone.
    public func startAuthentication(of user: User, accessCode: AccessCode? = nil) async throws(MPinError) {
        let (dialect, key) = try begin(.startAuthentication, of: user)
        defer { end(key) }
        guard var record = identities[key], var credential = record.credential else { return }
        startedAuthentications[key] = nil
        let outcome: TimePermitFlow.Outcome
        do {
            outcome = try await run(
                TimePermitFlow(
                    dialect: dialect, mpinID: record.mpinID, userID: key.userID, accessCode: accessCode,
                    cache: credential.permitCache))
        } catch {
            throw error.status == .revoked ? await block(key, because: error) : error
        }
        if let cache = outcome.newCache {
            credential.permitCache = cache
            record.phase = .registered(credential)
            // The cache saves a request tomorrow; a full disk must not keep a person from logging in today.
            do { try await save(record, for: key) } catch {
                logger.warning("a time permit could not be cached", metadata: ["cause": "\(error.detail)"])
            }
        }
        startedAuthentications[key] = StartedAuthentication(permit: outcome.permit)
    }

    /// Checks the last digit of an access number that a person typed, before a login is tried with it. Makes no request.
    /// A number of a backend without check digits passes. Not for codes that were scanned.
    ///
    /// - Throws: ``Status/incorrectAccessNumber``; ``Status/flowError`` when no backend is set.
    public func checkAccessNumber(_ number: AccessCode) throws(MPinError) {
        let settings = try requireBackend("checkAccessNumber").settings
        guard !AccessNumberRule.applies(settings.parameters) || AccessNumberRule.isValid(number) else {
            throw MPinError(
                status: .incorrectAccessNumber, detail: "checkAccessNumber: the last digit is wrong; type it again")
        }
    }

    /// Logs this client in at the relying party. ``AuthenticationResult/resultData`` is what that party answered.
    ///
    /// - Throws: as ``finishAuthentication(of:pin:accessCode:)``.
    public func finishAuthentication(of user: User, pin: consuming Pin?) async throws(MPinError) -> AuthenticationResult
    {
        AuthenticationResult(try await authenticate(user, pin, .relyingParty))
    }

    /// Logs the browser in that shows the code, scanned or typed (an access number). The server answers when the browser
    /// is through, 10 s later at most.
    ///
    /// - Parameters:
    ///   - user: an identity that ``startAuthentication(of:accessCode:)`` was called for.
    ///   - pin: nil when the person gave none.
    ///   - accessCode: the code that the browser shows.
    /// - Throws: ``Status/incorrectPIN``, after which the state tells whether the server has blocked the identity (its
    ///   token is gone then); ``Status/incorrectAccessNumber`` when the code is unknown or expired;
    ///   ``Status/requestExpired`` when the browser did not follow in time; ``Status/identityNotAuthorized``,
    ///   ``Status/clientSecretExpired``; ``Status/pinInputCanceled`` without a PIN; ``Status/flowError`` when the
    ///   authentication was not started. See ``MPinError/outcomeIsUnknown``. After a wrong PIN another try needs no new
    ///   start.
    public func finishAuthentication(
        of user: User, pin: consuming Pin?, accessCode: AccessCode
    ) async throws(MPinError) -> AuthenticationResult {
        AuthenticationResult(try await authenticate(user, pin, .browserSession(accessCode)))
    }

    /// Logs in for a one-time password, which the person then types in somewhere else.
    ///
    /// - Returns: the password, or why the login succeeded without one: ``OneTimePassword/status``.
    /// - Throws: as ``finishAuthentication(of:pin:accessCode:)``.
    public func finishAuthenticationOTP(of user: User, pin: consuming Pin?) async throws(MPinError) -> OneTimePassword {
        let reply = try await authenticate(user, pin, .oneTimePassword)
        return reply.oneTimePassword ?? OneTimePassword(withoutDigits: .flowError)
    }

    /// Logs in for an authorization code, with which the application's own server asks the platform who logged in.
    ///
    /// - Returns: the code, visible ASCII.
    /// - Throws: as ``finishAuthentication(of:pin:accessCode:)``; ``Status/flowError`` also when no client id is set;
    ///   ``Status/responseParseError`` when the login was accepted and no code came.
    public func finishAuthenticationMFA(of user: User, pin: consuming Pin?) async throws(MPinError) -> SecretBytes {
        guard configuration.companyID != nil else {
            throw MPinError(
                status: .flowError, detail: "finishAuthenticationMFA: no client id is set; call setClientID first")
        }
        guard let code = try await authenticate(user, pin, .authorizationCode).authorizationCode else {
            throw MPinError(
                status: .responseParseError,
                detail: "finishAuthenticationMFA: the login was accepted, but the backend gives no authorization codes",
                httpStatus: 200, outcomeIsUnknown: true)
        }
        return code
    }

    private func authenticate(
        _ user: User, _ pin: consuming Pin?, _ target: AuthenticationTarget
    ) async throws(MPinError) -> LoginReply {
        let (dialect, key) = try begin(.finishAuthentication, of: user)
        defer { end(key) }
        guard let record = identities[key], let credential = record.credential,
            let started = startedAuthentications[key]
        else {
            throw MPinError(
                status: .flowError, detail: "finishAuthentication: start the authentication of this identity first")
        }
        let pin = try MPin.required(pin, in: "finishAuthentication")
        let attempt: AuthenticationAttempt
        do {
            let factor = try PinFactor(pin, read: credential.pinReading)
            attempt = try AuthenticationAttempt(
                identity: MPinIdentity(record.mpinID), token: credential.token, pin: factor, permit: started.permit)
        } catch {
            throw MPinError(status: .cryptoError, detail: "finishAuthentication: no proof can be made: \(error)")
        }
        let reply: LoginReply
        do {
            reply = try await run(
                AuthenticationFlow(dialect: dialect, mpinID: record.mpinID, target: target, attempt: attempt))
        } catch {
            throw error.isFinalRefusal ? await block(key, because: error) : error
        }
        startedAuthentications[key] = nil
        if case .browserSession = target { logoutTickets[key] = reply.logout }
        return reply
    }
}

extension MPinError {
    /// 410 of the final call: the server has counted one wrong PIN too many.
    fileprivate var isFinalRefusal: Bool { status == .incorrectPIN && httpStatus == 410 }
}
