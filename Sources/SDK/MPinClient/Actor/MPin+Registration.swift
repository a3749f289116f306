// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

// A registration: started, confirmed by the person's mail or a code, and finished with a new PIN.
extension MPin {
    /// The greatest length of an identity or a device name, in bytes of UTF-8.
    static let maximumNameLength = 256

    /// Starts a registration: the server sends an activation mail, or activates at once.
    ///
    /// In the trust dialects the registration is kept in memory until it is finished: until then the identity that it
    /// replaces stays as it is, and the registration ends with this client.
    ///
    /// - Parameters:
    ///   - user: made by ``makeNewUser(_:deviceName:)``; in the trust dialects also an existing identity, to choose a
    ///     new PIN.
    ///   - activateCode: replaces the mail, UTF-8: a one-time code, a registration code that another device made, or
    ///     ``VerificationResult/activationToken``. The trust dialects require one.
    ///   - userData: passed on to the relying party untouched.
    ///   - accessCode: the browser session that the registration belongs to. The dialects of the platform send it, and
    ///     `mfa-v1` refuses a registration without one; the milagro and the trust dialects do not send it.
    ///   - pushIdentifier: the address for push messages, at most 256 bytes. All dialects but milagro send it here,
    ///     the milagro dialect with ``confirmRegistration(of:pushIdentifier:)`` only.
    /// - Returns: the identity, `startedRegistration` or `activated`.
    /// - Throws: ``MPinError/Kind/misuse`` when the identity exists already, ``MPinError/Kind/notAuthorized``,
    ///   ``MPinError/Kind/codeRefused`` for an invalid activation token or code, ``MPinError/Kind/registrationGone``,
    ///   ``MPinError/Kind/storage(_:)``; nothing has changed then.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``; a second mail may be sent.
    public func startRegistration(
        of user: User, activateCode: SecretBytes? = nil, userData: String? = nil, accessCode: AccessCode? = nil,
        pushIdentifier: String? = nil
    ) async throws(MPinError) -> User {
        let request = RegistrationRequest(
            userID: user.identity, deviceName: user.deviceName, activateCode: activateCode, userData: userData,
            accessCode: accessCode, pushIdentifier: pushIdentifier)
        return try await start(request, of: user, replacing: false)
    }

    /// Registers a registered or blocked identity again. It stays as it is until the new registration is finished: in
    /// every dialect the registration is kept in memory, and ``forgetShares(of:)`` discards it. Otherwise as
    /// ``startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``.
    ///
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``; a second mail may be sent.
    public func renewRegistration(
        of user: User, activateCode: SecretBytes? = nil, accessCode: AccessCode? = nil
    ) async throws(MPinError) -> User {
        let request = RegistrationRequest(
            userID: user.identity, deviceName: user.deviceName, activateCode: activateCode, accessCode: accessCode)
        return try await start(request, of: user, replacing: true)
    }

    private func start(
        _ request: RegistrationRequest, of user: User, replacing: Bool
    ) async throws(MPinError) -> User {
        try requireShort(user, in: "startRegistration")
        try requireShort(request.pushIdentifier, in: "startRegistration")
        let (dialect, key) = try begin(.startRegistration, of: user, replacing: replacing)
        defer { end(key) }
        try await prepareToSave(key)
        return dialect.registersKeys
            ? try await registerKey(request, dialect, key)
            : try await register(request, dialect, key, replacing: replacing && identities[key] != nil)
    }

    /// Makes the server send the activation mail again. A registration that the server no longer knows starts again,
    /// as does one that needs no mail. If the reply has a new mpin_id, it replaces the old one.
    ///
    /// - Parameters:
    ///   - user: an identity with a started registration; not in the trust dialects, where every registration takes a
    ///     new code.
    ///   - userData: passed on to the relying party untouched.
    ///   - accessCode: moves the registration to this browser session, for example when its own is over. With nil it
    ///     stays in its session, and a registration that is started again has none.
    /// - Throws: as ``startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``; nothing has changed
    ///   then.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``; a second mail may be sent.
    public func restartRegistration(
        of user: User, userData: String? = nil, accessCode: AccessCode? = nil
    ) async throws(MPinError) -> User {
        let (dialect, key) = try begin(.restartRegistration, of: user)
        defer { end(key) }
        let replacement = work[key].shares.replacement
        guard let record = replacement ?? identities[key], let registration = record.registration else { return user }
        try await prepareToSave(key)
        var request = RegistrationRequest(
            userID: key.userID, deviceName: record.deviceName, userData: userData,
            accessCode: accessCode ?? registration.wid)
        if record.state == .startedRegistration {
            request.restarted = (record.mpinID, registration.regOTT)
            do { return try await register(request, dialect, key, replacing: replacement != nil) } catch {
                guard error.kind == .registrationGone else { throw error }
            }
            request.restarted = nil
        }
        request.accessCode = accessCode
        // A new registration uses the backend's current dialect.
        return try await register(
            request, try requireBackend("restartRegistration").dialect(), key, replacing: replacement != nil)
    }

    private func register(
        _ request: RegistrationRequest, _ dialect: any Dialect, _ key: IdentityKey, replacing: Bool
    ) async throws(MPinError) -> User {
        let exchange = try dialect.register(request)
        let reply: RegistrationReply
        do { reply = try await run(exchange, namedBy: dialect.backend.origin) } catch {
            throw error.refusing(request.activateCode)
        }
        guard case .token(let regOTT) = reply.access else {
            throw MPinError(
                .badReply, detail: "\(exchange.call.place): there is no registration token")
        }
        let registration = IdentityRecord.Registration(
            regOTT: regOTT, wid: request.accessCode, expires: reply.expires, pinLength: reply.pinLength)
        let record = IdentityRecord(
            mpinID: reply.mpinID, deviceName: request.deviceName, dialect: dialect.name,
            phase: reply.isActive ? .activated(registration) : .startedRegistration(registration),
            customerID: reply.customerID, appID: reply.appID, verificationType: reply.verificationType,
            isOverHTTP: dialect.isOverHTTP)
        if replacing {
            try requireWanted(key, in: "startRegistration")
            work[key].forgetShares()
            work[key].shares.replacement = record
        } else {
            try await save(record, for: key)
            work[key].forgetIdentity()
        }
        return snapshot(of: key) ?? User(key: key, state: .invalid, deviceName: request.deviceName)
    }

    /// Registers in the trust dialects, which store nothing before the registration is finished.
    private func registerKey(
        _ request: RegistrationRequest, _ dialect: any Dialect, _ key: IdentityKey
    ) async throws(MPinError) -> User {
        guard let backend, let code = request.activateCode, code.count > 0 else {
            throw MPinError(
                .misuse,
                detail:
                    "startRegistration: this platform registers with an activation token or a code only; verify the "
                    + "identity first")
        }
        let keys = try KeyPair(for: "startRegistration")
        var request = request
        request.publicKey = keys.publicKey
        let outcome: TrustRegistrationFlow.Outcome
        do {
            outcome = try await run(
                TrustRegistrationFlow(
                    request: request, dialect: dialect, fallback: try backend.registrationFallback()),
                namedBy: dialect.backend.origin)
        } catch {
            throw error.refusing(code)
        }
        rememberGeneration(outcome.dialect.name)
        try requireWanted(key, in: "startRegistration")
        let pending = PendingRegistration(
            reply: outcome.reply, deviceName: request.deviceName, dialect: outcome.dialect, publicKey: keys.publicKey,
            privateKey: keys.privateKey)
        work[key].forgetShares()
        work[key].shares.pendingRegistration = pending
        return snapshot(of: key) ?? pending.user(key)
    }

    /// Notes the project's generation, which a registration shows.
    private func rememberGeneration(_ generation: DialectName) {
        guard case .trust(var project) = backend?.profile, project.generation == nil, generation == .trust2023 else {
            return
        }
        project.generation = generation
        backend?.profile = .trust(project)
        projects[project.url] = project
    }

    func requireShort(_ user: User, in call: StaticString) throws(MPinError) {
        guard (1...MPin.maximumNameLength).contains(user.identity.utf8.count),
            user.deviceName.utf8.count <= MPin.maximumNameLength
        else {
            throw MPinError(
                .misuse, detail: "\(call): identity and device name must be texts of at most 256 bytes")
        }
    }

    func requireShort(_ pushIdentifier: String?, in call: StaticString) throws(MPinError) {
        guard pushIdentifier?.utf8.count ?? 0 <= MPin.maximumNameLength else {
            throw MPinError(.misuse, detail: "\(call): a push identifier has at most 256 bytes")
        }
    }

    /// Completes the registration's token with a second part that reached the person by another channel. No document
    /// specifies how the parts are joined. Only the request for the first share contains the result.
    ///
    /// - Parameter token: visible ASCII, 1 to 256 characters.
    /// - Throws: ``MPinError/Kind/misuse`` for any other text and when the token was completed before;
    ///   ``MPinError/Kind/storage(_:)``; nothing has changed then.
    public func setRegistrationToken(_ token: SecretBytes, of user: User) async throws(MPinError) {
        let (_, key) = try begin(.setRegistrationToken, of: user)
        defer { end(key) }
        let isPlain = token.withBytes { text in text.indices.allSatisfy { (0x21...0x7E).contains(text[$0]) } }
        guard (1...256).contains(token.count), isPlain, !work[key].tokenIsCompleted, var record = identities[key],
            let registration = record.registration
        else {
            throw MPinError(
                .misuse,
                detail: "setRegistrationToken: a token has 1 to 256 visible characters, and is set once a registration")
        }
        record.phase = .startedRegistration(
            IdentityRecord.Registration(
                regOTT: Inferred.completed(registration.regOTT, with: token), wid: registration.wid,
                expires: registration.expires, pinLength: registration.pinLength))
        try await save(record, for: key)
        work[key].tokenIsCompleted = true
    }

    /// Whether this client completed the token of the running registration.
    public func isRegistrationTokenSet(_ user: User) -> Bool { work[user.key].tokenIsCompleted }

    /// Asks whether the person followed the activation mail, and fetches the secret shares. They stay in memory until
    /// ``finishRegistration(of:pin:pin1:)`` or ``forgetShares(of:)``; the state does not change.
    ///
    /// The server answers once: after a success, or ``MPinError/Kind/registrationGone``, only a restart brings new
    /// shares, in the trust dialects another activation token. If the shares are already here, those dialects make no
    /// request.
    ///
    /// - Parameters:
    ///   - user: an identity with a started registration.
    ///   - pushIdentifier: the address for push messages, at most 256 bytes: they can begin a login without an access
    ///     code.
    /// - Throws: ``MPinError/Kind/notVerified`` when the person has not followed the mail yet,
    ///   ``MPinError/Kind/registrationGone``; ``MPinError/Kind/storage(_:)`` when the store has no room for the token,
    ///   before any request.
    /// - Note: May be repeated after ``MPinError/Kind/network``, ``MPinError/Kind/busy`` or
    ///   ``MPinError/Kind/serverFailed``. ``MPinError/Kind/registrationGone`` then means that the server's only answer
    ///   was lost: begin again.
    public func confirmRegistration(of user: User, pushIdentifier: String? = nil) async throws(MPinError) -> User {
        try requireShort(pushIdentifier, in: "confirmRegistration")
        let (dialect, key) = try begin(.confirmRegistration, of: user)
        defer { end(key) }
        try await prepareToSave(key)
        if let pending = work[key].shares.pendingRegistration {
            return try await confirm(pending, key, pushIdentifier)
        }
        guard let record = work[key].shares.replacement ?? identities[key], let registration = record.registration
        else {
            return user
        }
        let request = FirstShareRequest(
            mpinID: record.mpinID, regOTT: registration.regOTT, pushIdentifier: pushIdentifier)
        let secret = try await run(
            SecretFlow(
                dialect: dialect, source: .request(try dialect.firstSecretShare(request)), privateKey: nil),
            namedBy: dialect.backend.origin)
        try keep(secret, for: key)
        return snapshot(of: key) ?? user
    }

    private func confirm(
        _ pending: PendingRegistration, _ key: IdentityKey, _ pushIdentifier: String?
    ) async throws(MPinError) -> User {
        guard let privateKey = pending.privateKey else { return pending.user(key) }
        let source: SecretFlow.Source
        switch pending.reply.access {
        case .offer(let offer): source = .offer(offer)
        case .token(let regOTT):
            let request = FirstShareRequest(
                mpinID: pending.reply.mpinID, regOTT: regOTT, pushIdentifier: pushIdentifier,
                publicKey: pending.publicKey)
            source = .request(try pending.dialect.firstSecretShare(request))
        }
        let secret = try await run(
            SecretFlow(dialect: pending.dialect, source: source, privateKey: privateKey),
            namedBy: pending.dialect.backend.origin)
        try keep(secret, for: key)
        work[key].shares.pendingRegistration?.privateKey = nil
        return pending.user(key)
    }

    private func keep(_ secret: SecretFlow.Outcome, for key: IdentityKey) throws(MPinError) {
        try requireWanted(key, in: "confirmRegistration")
        work[key].shares.clientSecret = secret
    }

    /// Makes the token from the shares and the person's new PIN, and stores it. Makes no request.
    ///
    /// - Parameters:
    ///   - user: an identity with a confirmed registration.
    ///   - pin: nil when the person chose none.
    ///   - pin1: there is no second factor.
    /// - Throws: ``MPinError/Kind/misuse`` without shares; ``MPinError/Kind/pinLength(_:)`` for a PIN of another
    ///   length than the server wants; ``MPinError/Kind/noPIN`` without a PIN; ``MPinError/Kind/unusablePIN`` for a
    ///   PIN of zeros, whose token would be the whole secret; ``MPinError/Kind/storage(_:)``.
    /// - Note: May be repeated after ``MPinError/Kind/storage(_:)``: the shares stay.
    public func finishRegistration(
        of user: User, pin: consuming Pin?, pin1: SecondFactor? = nil
    ) async throws(MPinError) -> User {
        let (_, key) = try begin(.finishRegistration, of: user)
        defer { end(key) }
        guard let secret = work[key].shares.clientSecret, var record = unfinishedRecord(of: key) else {
            throw MPinError(
                .misuse,
                detail: "finishRegistration: there are no secret shares; confirm the registration first")
        }
        let pin = try MPin.required(pin, in: "finishRegistration")
        let publicKey = work[key].shares.pendingRegistration?.publicKey
        let wanted = work[key].shares.pendingRegistration?.reply.pinLength ?? record.registration?.pinLength
        let pinLength = pin.length
        record.phase = .registered(
            IdentityRecord.Credential(
                token: try MPin.token(
                    from: secret.secret, for: MPinIdentity(secret.mpinID, publicKey: publicKey), newPIN: pin,
                    length: wanted, in: "finishRegistration"),
                pinLength: pinLength, permitCache: nil, publicKey: publicKey, dtas: secret.dtas))
        try await save(record, for: key)
        work[key].forgetIdentity()
        return snapshot(of: key) ?? user
    }

    /// The record to register: a stored one, or a new one for a registration that lives in memory.
    private func unfinishedRecord(of key: IdentityKey) -> IdentityRecord? {
        guard let pending = work[key].shares.pendingRegistration else {
            return work[key].shares.replacement ?? identities[key]
        }
        return IdentityRecord(
            mpinID: pending.reply.mpinID, deviceName: pending.deviceName, dialect: pending.dialect.name,
            phase: .blocked(nil),
            customerID: pending.reply.customerID, appID: pending.reply.appID,
            verificationType: pending.reply.verificationType, isOverHTTP: pending.dialect.isOverHTTP)
    }

    /// Wipes the secret shares of an unfinished registration because the person left; in the trust dialects the whole
    /// registration. Shares that are being fetched are dropped when they arrive.
    public func forgetShares(of user: User) {
        work[user.key].forgetShares()
        if work[user.key].isBusy { work[user.key].sharesAreUnwanted = true }
    }
}

extension MPinError {
    /// Explains a refused registration with a code as a refused code. The server uses one word for activation tokens
    /// and typed codes; older SDKs have a number for the latter.
    fileprivate func refusing(_ code: SecretBytes?) -> MPinError {
        guard let code, code.count > 0, kind == .notAuthorized || kind == .codeRefused else { return self }
        var error = self
        error.kind = .codeRefused
        if Inferred.isRegistrationCode(code) { error.status = .identityNotAuthorized }
        return error
    }
}
