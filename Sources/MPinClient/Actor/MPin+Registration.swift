// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

extension MPin {
    /// The longest identity and the longest device name, in bytes of UTF-8.
    static let maximumNameLength = 256

    /// Starts a registration: the server sends an activation mail, or activates at once.
    ///
    /// - Parameters:
    ///   - user: made by ``makeNewUser(_:deviceName:)``.
    ///   - activateCode: a one-time code that replaces the mail, UTF-8.
    ///   - userData: passed on to the relying party untouched.
    ///   - accessCode: the browser session that the registration belongs to. The `mfa-v1` dialect sends it, and the
    ///     platform refuses a registration without one; the milagro dialect does not.
    ///   - pushIdentifier: where the server may send push messages to, at most 256 bytes. The `mfa-v1` dialect sends it
    ///     here, the milagro dialect with ``confirmRegistration(of:pushIdentifier:)`` only.
    /// - Returns: the identity, `startedRegistration` or `activated`.
    /// - Throws: ``Status/flowError`` when the identity exists already, ``Status/identityNotAuthorized`` (403),
    ///   ``Status/registrationExpired`` (404), ``Status/storageError``; nothing has changed then.
    public func startRegistration(
        of user: User, activateCode: SecretBytes? = nil, userData: String? = nil, accessCode: AccessCode? = nil,
        pushIdentifier: String? = nil
    ) async throws(MPinError) -> User {
        guard (1...MPin.maximumNameLength).contains(user.identity.utf8.count),
            user.deviceName.utf8.count <= MPin.maximumNameLength
        else {
            throw MPinError(
                status: .flowError,
                detail: "startRegistration: identity and device name must be texts of at most 256 bytes")
        }
        try requireShort(pushIdentifier, in: "startRegistration")
        let (dialect, key) = try begin(.startRegistration, of: user)
        defer { end(key) }
        return try await register(
            RegistrationRequest(
                userID: user.identity, deviceName: user.deviceName, activateCode: activateCode, userData: userData,
                accessCode: accessCode, pushIdentifier: pushIdentifier),
            dialect, key)
    }

    /// Has the activation mail sent again. The server may have forgotten the registration and begin a new one, with a
    /// new mpin_id: that one is adopted and the old one dropped.
    ///
    /// - Throws: as ``startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``; nothing has changed then.
    public func restartRegistration(of user: User, userData: String? = nil) async throws(MPinError) -> User {
        let (dialect, key) = try begin(.restartRegistration, of: user)
        defer { end(key) }
        guard let record = identities[key], let registration = record.registration else { return user }
        return try await register(
            RegistrationRequest(
                userID: key.userID, deviceName: record.deviceName, userData: userData, accessCode: registration.wid,
                restarted: (record.mpinID, registration.regOTT)),
            dialect, key)
    }

    private func register(
        _ request: RegistrationRequest, _ dialect: any Dialect, _ key: IdentityKey
    ) async throws(MPinError) -> User {
        let reply = try await run(dialect.register(request))
        let registration = IdentityRecord.Registration(
            regOTT: reply.regOTT, wid: request.accessCode, expires: reply.expires)
        let record = IdentityRecord(
            mpinID: reply.mpinID, deviceName: request.deviceName, dialect: dialect.name,
            phase: reply.isActive ? .activated(registration) : .startedRegistration(registration))
        try await save(record, for: key)
        dropSecrets(of: key)
        return snapshot(of: key, request.deviceName)
    }

    /// Asks whether the person followed the activation mail, and fetches the secret shares. They stay in memory until
    /// ``finishRegistration(of:pin:)`` or ``forgetShares(of:)``; the state does not change.
    ///
    /// The server answers once: after a success, or a failure with ``MPinError/registrationIsGone``, only a restart
    /// brings new shares.
    ///
    /// - Parameters:
    ///   - user: an identity whose registration was started.
    ///   - pushIdentifier: where the server may send push messages to, at most 256 bytes: a way to begin a login without
    ///     an access code.
    /// - Throws: ``Status/identityNotVerified`` when the mail was not followed yet or the registration is gone,
    ///   ``Status/registrationExpired``, ``Status/requestExpired``.
    public func confirmRegistration(of user: User, pushIdentifier: String? = nil) async throws(MPinError) -> User {
        try requireShort(pushIdentifier, in: "confirmRegistration")
        let (dialect, key) = try begin(.confirmRegistration, of: user)
        defer { end(key) }
        guard let record = identities[key], let registration = record.registration else { return user }
        let secret = try await run(
            ConfirmationFlow(
                dialect: dialect, mpinID: record.mpinID, regOTT: registration.regOTT, pushIdentifier: pushIdentifier))
        guard !unwanted.contains(key) else {
            throw MPinError(
                status: .flowError, detail: "confirmRegistration: the shares were forgotten while they were fetched",
                registrationIsGone: true)
        }
        clientSecrets[key] = secret
        return snapshot(of: key, record.deviceName)
    }

    /// Makes the token from the shares and the person's new PIN, and stores it. Makes no request.
    ///
    /// - Parameters:
    ///   - user: an identity whose registration was confirmed.
    ///   - pin: nil when the person chose none.
    /// - Throws: ``Status/flowError`` without shares; ``Status/pinInputCanceled`` without a PIN; ``Status/cryptoError``
    ///   for a PIN of zeros, whose token would be the whole secret; ``Status/storageError``. The shares stay then, for
    ///   another try.
    public func finishRegistration(of user: User, pin: consuming Pin?) async throws(MPinError) -> User {
        let (_, key) = try begin(.finishRegistration, of: user)
        defer { end(key) }
        guard var record = identities[key], let secret = clientSecrets[key] else {
            throw MPinError(
                status: .flowError,
                detail: "finishRegistration: there are no secret shares; confirm the registration first")
        }
        let pin = try MPin.required(pin, in: "finishRegistration")
        guard !pin.isAllZeros else {
            throw MPinError(
                status: .cryptoError,
                detail: "finishRegistration: a PIN of zeros would leave the secret unprotected; choose another")
        }
        let pinLength = pin.length
        let token: Token
        do {
            let factor = try PinFactor(pin, read: .decimal)
            token = try Token(extracting: factor, from: secret, for: MPinIdentity(record.mpinID))
        } catch {
            throw MPinError(status: .cryptoError, detail: "finishRegistration: no token can be made: \(error)")
        }
        record.phase = .registered(
            IdentityRecord.Credential(token: token, pinReading: .decimal, pinLength: pinLength, permitCache: nil))
        try await save(record, for: key)
        dropSecrets(of: key)
        return snapshot(of: key, record.deviceName)
    }

    /// Wipes the secret shares of a registration that was confirmed and not finished, because the person left. Shares
    /// that are being fetched are dropped when they arrive.
    public func forgetShares(of user: User) {
        clientSecrets[user.key] = nil
        if busy.contains(user.key) { unwanted.insert(user.key) }
    }

    private func requireShort(_ pushIdentifier: String?, in call: StaticString) throws(MPinError) {
        guard pushIdentifier?.utf8.count ?? 0 <= MPin.maximumNameLength else {
            throw MPinError(status: .flowError, detail: "\(call): a push identifier has at most 256 bytes")
        }
    }

    private func snapshot(of key: IdentityKey, _ deviceName: String) -> User {
        identities.user(key)
            ?? User(key: key, state: .invalid, deviceName: deviceName, registrationExpires: nil, pinLength: nil)
    }
}
