// SPDX-License-Identifier: Apache-2.0

import Logging
public import LoginValues
import MPinCrypto

extension MPin {
    /// Fetches and computes what a login needs before the PIN is asked for: the time permit, if the backend uses
    /// permits, and the points of pass 1. With a code it also tells the browser's session who is going to log in;
    /// whether that works does not matter.
    ///
    /// - Throws: ``MPinError/Kind/revoked`` when the server refuses the identity for good: it is then blocked and its
    ///   token is gone, unless that was said over plain http: ``MPinError/isFinalRefusal``.
    public func startAuthentication(of user: User, accessCode: AccessCode? = nil) async throws(MPinError) {
        try await start(user, accessCode, nil, in: "startAuthentication")
    }

    /// Starts a login for a one-time password: as ``startAuthentication(of:accessCode:)`` without a session.
    ///
    /// - Throws: ``MPinError/Kind/notOffered`` where the dialect has none.
    public func startAuthenticationOTP(of user: User) async throws(MPinError) {
        try await start(user, nil, .oneTimePassword, in: "startAuthenticationOTP")
    }

    /// Starts a login for a registration code: as ``startAuthentication(of:accessCode:)`` without a session.
    ///
    /// - Throws: ``MPinError/Kind/notOffered`` where the dialect has none.
    public func startAuthenticationRegCode(of user: User) async throws(MPinError) {
        try await start(user, nil, .registrationCode, in: "startAuthenticationRegCode")
    }

    private func start(
        _ user: User, _ accessCode: AccessCode?, _ target: AuthenticationTarget?, in call: StaticString
    ) async throws(MPinError) {
        let (dialect, key) = try await beginWithNewest(.startAuthentication, of: user)
        defer { end(key) }
        if let target { try dialect.require(target, in: call) }
        guard var record = identities[key], var credential = record.credential else { return }
        work[key].startedAuthentication = nil
        let outcome: TimePermitFlow.Outcome
        do {
            outcome = try await run(
                TimePermitFlow(
                    dialect: dialect, mpinID: record.mpinID, userID: key.userID, accessCode: accessCode,
                    cache: credential.permitCache),
                namedBy: dialect.backend.origin)
        } catch {
            throw error.isFinalRefusal ? await block(key, because: error) : error
        }
        if let cache = outcome.newCache {
            credential.permitCache = cache
            record.phase = .registered(credential)
            // The cache saves a request tomorrow; a full disk must not keep a person from logging in today.
            do { try await save(record, for: key) } catch {
                logger.warning("a time permit could not be cached", metadata: ["cause": "\(error.detail)"])
            }
        }
        work[key].startedAuthentication = StartedAuthentication(
            permit: outcome.permit, for: MPinIdentity(record.mpinID, key: credential.publicKey))
    }

    /// Checks the last digit of an access number that a person typed, before a login is tried with it. Makes no
    /// request. A number of a backend without check digits passes. Not for codes that were scanned.
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
