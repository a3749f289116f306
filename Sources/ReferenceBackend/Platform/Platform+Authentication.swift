// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The three requests of a login. MIRACL protocol, section 9.
extension Platform {
    /// `POST /rps/v2/pass1`: keeps the commitment and answers with a fresh challenge.
    /// - Throws: `PlatformRefusal` for malformed data or an unknown identity, and for one that is blocked or revoked;
    ///   `Refusal` 429 when too many logins of it were begun without a verdict, 503 when they cannot be counted.
    func pass1(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        let mpinID = try Self.mpinID(in: body)
        let commitment = try Self.point("U", in: body)
        guard case .array(let scopes)? = body.members["scope"], case .string(let name)? = scopes.first,
            scopes.count == 1, let scope = LoginScope(rawValue: name)
        else { throw PlatformRefusal.invalid("scope") }
        // Identities of the classic protocol have no type.
        guard MPinIDText.verification(of: mpinID) != nil,
            let known = try database.lookUp({ try RegisteredIdentity.find(mpinID, in: $0) })
        else { throw PlatformRefusal.invalid("mpin_id") }
        guard scope.isFor(known, in: mount.generation) else { throw PlatformRefusal.invalid("scope") }
        let identity = try Self.identity(of: known, in: body)
        guard try !known.isBlocked && !isRevoked(mpinID) else { throw PlatformRefusal(.expiredMPinID) }
        try await judge.begin(known)
        let challenge = try Challenge.random()
        let now = clock.now
        passOnes.insert(
            PlatformPassOne(
                identity: identity, scope: scope, generation: mount.generation,
                commitment: commitment, challenge: challenge),
            for: mpinID, expires: now + PlatformPassOne.lifetime, now: now)
        return JSONObject(["y": .string(Hexadecimal.text(challenge.bytes))])
    }

    /// `POST /rps/v2/pass2`: keeps the proof and answers with an authOTT, for a right PIN and a wrong one alike.
    /// - Throws: `PlatformRefusal` for malformed data, a point that is none, and when there is no pass 1 or it is too old.
    func pass2(_ body: JSONObject) throws -> JSONObject {
        let mpinID = try Self.mpinID(in: body)
        let response = try Self.point("V", in: body)
        let now = clock.now
        // Taken before anything else can happen: a second pass 2 on the same pass 1 finds nothing.
        guard let record = passOnes.remove(mpinID, now: now) else { throw PlatformRefusal.invalid("mpin_id") }
        let authOTT = try OneTimeToken.random()
        let accessID = body.string("WID").flatMap { $0.isEmpty || $0 == "0" ? nil : $0 }
        let proof = LoginProof(
            identity: record.identity, commitment: record.commitment, permittedCommitment: nil, days: [nil],
            challenge: record.challenge, response: response)
        logins.insert(
            PlatformLogin(proof: proof, scope: record.scope, generation: record.generation, accessID: accessID),
            for: authOTT, expires: now + PlatformLogin.lifetime, now: now)
        return JSONObject(["authOTT": .string(authOTT.hex)])
    }

    /// `POST /rps/v2/authenticate`: the verdict, and what the login was for.
    /// - Throws: `PlatformRefusal` for malformed data, a wrong PIN, an identity that is blocked or revoked, and a browser
    ///   session that is not open; `Refusal` 429 and 503.
    func authenticate(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        guard let text = body.string("authOTT") else { throw PlatformRefusal.invalid("authOTT") }
        guard let authOTT = OneTimeToken(text), let login = logins.remove(authOTT, now: clock.now) else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        let url = try await mount.url
        let needsSession = login.scope.needsSession(in: login.generation, hasCode: login.accessID != nil)
        if needsSession { try requireOpenSession(of: login) }
        if login.scope == .registrationCode, MPinIDText.verification(of: login.identity.mpinID) == .registrationCode {
            throw PlatformRefusal(.limitedQuickCodeGeneration)
        }
        let identity = try await settled(
            try await verdict(on: login.identity.mpinID) { try await $0.judge(login.proof) },
            provedBy: login.identity.publicKey?.bytes)
        // Judging may have waited, and another device may have been faster.
        if needsSession, let accessID = login.accessID {
            try requireOpenSession(of: login, for: identity.userID)
            sessions.update(accessID, now: clock.now) { session in
                session.authenticatedUser = identity.userID
                session.isRepeatable = identity.needsRenewal
            }
        }
        guard login.generation == .mfaV2 else { return try await result(of: login, identity, url: url) }
        return try await olderResult(
            of: login, identity, wantsCode: body.flag("authzRequest") == true, url: url)
    }

    /// A new identity takes the place of the one that it was made for, and a new key that of the old one, when the device
    /// has proved that it has them.
    /// - Throws: `PlatformRefusal` when the key was replaced since pass 1.
    private func settled(_ identity: RegisteredIdentity, provedBy publicKey: [UInt8]?) async throws
        -> RegisteredIdentity
    {
        // A client may have offered the key that it has: it has taken the next one then.
        let hasNext = publicKey != nil && publicKey == identity.nextPublicKey
        if identity.replaces == nil, identity.publicKey == publicKey, !hasNext { return identity }
        let mpinID = identity.mpinID
        return try await database.write { database in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database),
                publicKey == identity.publicKey || publicKey == identity.nextPublicKey
            else { throw PlatformRefusal(.invalidAuthenticationSession) }
            try identity.takePlace(in: database)
            if publicKey != nil, publicKey == identity.nextPublicKey { try identity.takeNextKey(in: database) }
            return identity
        }
    }

    /// - Parameter user: who has proved it; a device that was offered a new key may log its user in once more.
    private func requireOpenSession(of login: PlatformLogin, for user: String? = nil) throws(PlatformRefusal) {
        guard let accessID = login.accessID, let session = sessions.value(for: accessID, now: clock.now),
            session.hash.isEmpty, session.authenticatedUser == nil || session.isRepeatable,
            user == nil || session.authenticatedUser == nil || session.authenticatedUser == user
        else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    /// - Throws: `PlatformRefusal` for a wrong PIN and for an identity that is blocked or revoked, `Refusal` 429 and
    ///   503.
    func verdict(
        on mpinID: MPinID, _ ask: (LoginJudge) async throws -> RegisteredIdentity
    ) async throws -> RegisteredIdentity {
        let identity: RegisteredIdentity
        do {
            identity = try await ask(judge)
        } catch let refusal as Refusal where refusal.code == 401 {
            throw PlatformRefusal(.unsuccessfulAuthentication)
        } catch let refusal as Refusal where refusal.code == 410 {
            throw PlatformRefusal(.revokedMPinID)
        }
        guard try !isRevoked(mpinID) else { throw PlatformRefusal(.revokedMPinID) }
        return identity
    }

    /// Asked where something is used that an identity got for proving its PIN.
    /// - Throws: `PlatformRefusal` when it was blocked or revoked since then.
    func requireGood(_ mpinID: MPinID) throws {
        guard try isGood(mpinID) else { throw PlatformRefusal(.revokedMPinID) }
    }

    /// Whether an identity is neither blocked nor revoked. One that was renewed is not known any more, and is as good as the
    /// one in its place.
    func isGood(_ mpinID: MPinID) throws -> Bool {
        let isBlocked = try database.lookUp { try RegisteredIdentity.find(mpinID, in: $0)?.isBlocked } ?? false
        return try !isBlocked && !isRevoked(mpinID)
    }

    func isRevoked(_ mpinID: MPinID) throws -> Bool {
        try database.lookUp { try Revocation.contains(mpinID, in: $0) }
    }

    private static func identity(of known: RegisteredIdentity, in body: JSONObject) throws -> MPinIdentity {
        // Clients before 2023 send an empty one for an identity that has none.
        let text = body.string("publicKey") ?? ""
        let claimed = text.isEmpty ? nil : Hexadecimal.bytes(text) ?? []
        guard let identity = try known.identity(claiming: claimed) else { throw PlatformRefusal.invalid("publicKey") }
        return identity
    }

    private static func mpinID(in body: JSONObject) throws(PlatformRefusal) -> MPinID {
        guard let bytes = body.string("mpin_id").flatMap({ Hexadecimal.bytes($0) }), (1...4096).contains(bytes.count)
        else { throw .invalid("mpin_id") }
        return MPinID(bytes)
    }

    private static func point(_ name: String, in body: JSONObject) throws(PlatformRefusal) -> [UInt8] {
        guard let bytes = body.string(name).flatMap({ Hexadecimal.bytes($0) }), ServerSecret.isPoint(bytes) else {
            throw .invalid(name)
        }
        return bytes
    }
}
