// SPDX-License-Identifier: Apache-2.0

public import LoginValues
import MPinCrypto

extension MPin {
    /// The longest identity and the longest device name, in bytes of UTF-8.
    static let maximumNameLength = 256

    /// Starts a registration: the server sends an activation mail, or activates at once.
    ///
    /// In the trust dialects the registration is kept in memory until it is finished: until then an identity that it is
    /// going to replace stays as it is, and nothing outlives this client.
    ///
    /// - Parameters:
    ///   - user: made by ``makeNewUser(_:deviceName:)``; in the trust dialects also an identity that exists, whose PIN is to
    ///     be chosen anew.
    ///   - activateCode: what replaces the mail, UTF-8: a one-time code, a registration code that another device made, or
    ///     ``VerificationResult/activationToken``. The trust dialects register with one only.
    ///   - userData: passed on to the relying party untouched.
    ///   - accessCode: the browser session that the registration belongs to. The dialects of the platform send it, and
    ///     `mfa-v1` refuses a registration without one; the milagro and the trust dialects do not send it.
    ///   - pushIdentifier: where the server may send push messages to, at most 256 bytes. All dialects but milagro send it
    ///     here, the milagro dialect with ``confirmRegistration(of:pushIdentifier:)`` only.
    /// - Returns: the identity, `startedRegistration` or `activated`.
    /// - Throws: ``MPinError/Kind/misuse`` when the identity exists already, ``MPinError/Kind/notAuthorized``,
    ///   ``MPinError/Kind/codeRefused`` for an activation token or a code that is not good,
    ///   ``MPinError/Kind/registrationGone``, ``MPinError/Kind/storage(_:)``; nothing has changed then.
    public func startRegistration(
        of user: User, activateCode: SecretBytes? = nil, userData: String? = nil, accessCode: AccessCode? = nil,
        pushIdentifier: String? = nil
    ) async throws(MPinError) -> User {
        try requireShort(user, in: "startRegistration")
        try requireShort(pushIdentifier, in: "startRegistration")
        let (dialect, key) = try begin(.startRegistration, of: user)
        defer { end(key) }
        try await prepareToSave(key)
        let request = RegistrationRequest(
            userID: user.identity, deviceName: user.deviceName, activateCode: activateCode, userData: userData,
            accessCode: accessCode, pushIdentifier: pushIdentifier)
        return dialect.registersKeys
            ? try await registerKey(request, dialect, key) : try await register(request, dialect, key)
    }

    /// Has the activation mail sent again. A registration that the server does not know any more is begun anew, and so
    /// is one that waits for no mail. What comes of it may have a new mpin_id: that one is adopted and the old one
    /// dropped.
    ///
    /// - Parameters:
    ///   - user: an identity whose registration was started; not in the trust dialects, where every registration takes
    ///     a code of its own.
    ///   - userData: passed on to the relying party untouched.
    ///   - accessCode: the browser session that the registration belongs to when it is begun anew; nil where there is
    ///     none.
    /// - Throws: as ``startRegistration(of:activateCode:userData:accessCode:pushIdentifier:)``; nothing has changed then.
    public func restartRegistration(
        of user: User, userData: String? = nil, accessCode: AccessCode? = nil
    ) async throws(MPinError) -> User {
        let (dialect, key) = try begin(.restartRegistration, of: user)
        defer { end(key) }
        guard let record = identities[key], let registration = record.registration else { return user }
        try await prepareToSave(key)
        var request = RegistrationRequest(
            userID: key.userID, deviceName: record.deviceName, userData: userData, accessCode: registration.wid)
        if record.state == .startedRegistration {
            request.restarted = (record.mpinID, registration.regOTT)
            do { return try await register(request, dialect, key) } catch {
                guard error.kind == .registrationGone else { throw error }
            }
            request.restarted = nil
        }
        request.accessCode = accessCode
        // What begins anew speaks what the backend speaks now.
        return try await register(request, try requireBackend("restartRegistration").dialect(), key)
    }

    private func register(
        _ request: RegistrationRequest, _ dialect: any Dialect, _ key: IdentityKey
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
            customerID: reply.customerID, appID: reply.appID, verificationType: reply.verificationType)
        try await save(record, for: key)
        work[key].forgetIdentity()
        return snapshot(of: key) ?? User(key: key, state: .invalid, deviceName: request.deviceName)
    }

    /// The registration of the trust dialects: nothing is stored before it is finished.
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
        guard !work[key].sharesAreUnwanted else {
            throw MPinError(
                .registrationGone, status: .flowError,
                detail: "startRegistration: the registration was forgotten while it was started")
        }
        let pending = PendingRegistration(
            reply: outcome.reply, deviceName: request.deviceName, dialect: outcome.dialect, publicKey: keys.publicKey,
            privateKey: keys.privateKey)
        work[key].forgetShares()
        work[key].pendingRegistration = pending
        return snapshot(of: key) ?? pending.user(key)
    }

    /// A registration shows which generation a project is of.
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
}

extension MPinError {
    /// A server that refuses a registration with a code has the code in mind, or says so. It has one word for
    /// activation tokens and for codes that a person typed; the latter have a number of their own.
    fileprivate func refusing(_ code: SecretBytes?) -> MPinError {
        guard let code, code.count > 0, kind == .notAuthorized || kind == .codeRefused else { return self }
        var error = self
        error.kind = .codeRefused
        if Inferred.isRegistrationCode(code) { error.status = .identityNotAuthorized }
        return error
    }
}
