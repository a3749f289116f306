// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The three requests of a login. MIRACL protocol, section 9.
extension Platform {
    /// `POST /rps/v2/pass1`: keeps the commitment and answers with a fresh challenge.
    /// - Throws: `PlatformRefusal` for an unknown identity, and for one that is blocked or revoked; `Refusal` 429 when
    ///   too many logins of it were begun without a verdict, 503 when they cannot be counted.
    func pass1(_ request: PlatformPassOneRequest, at mount: PlatformMount) async throws -> PlatformPassOneReply {
        // Identities of the classic protocol have no type.
        guard MPinIDText.verification(of: request.mpinID) != nil,
            let known = try await storage.durable.identity(request.mpinID)
        else { throw PlatformRefusal.invalid("mpin_id") }
        guard request.scope.isFor(known, in: mount.generation) else { throw PlatformRefusal.invalid("scope") }
        guard let identity = try known.identity(claiming: request.publicKey) else {
            throw PlatformRefusal.invalid("publicKey")
        }
        guard !known.isBlocked, try await !storage.durable.isRevoked(request.mpinID) else {
            throw PlatformRefusal(.expiredMPinID)
        }
        let commitments = Commitments(
            identity: identity, plain: request.commitment,
            purpose: LoginPurpose(scope: request.scope, generation: mount.generation))
        return PlatformPassOneReply(challenge: try await proofs.begin(commitments, of: known))
    }

    /// `POST /rps/v2/pass2`: keeps the proof and answers with an authOTT, for a right PIN and a wrong one alike.
    /// - Throws: `PlatformRefusal` when there is no pass 1 or it is too old.
    func pass2(_ request: PlatformPassTwoRequest) async throws -> PlatformPassTwoReply {
        guard let proof = try await proofs.proof(of: request.mpinID, response: request.response) else {
            throw PlatformRefusal.invalid("mpin_id")
        }
        return PlatformPassTwoReply(
            authOTT: try await proofs.keep(BegunLogin(proof: proof, accessCode: request.accessCode)))
    }

    /// `POST /rps/v2/authenticate`: the verdict, and what the login was for.
    /// - Throws: `PlatformRefusal` for an authOTT that does not count, a wrong PIN, an identity that is blocked or
    ///   revoked, and a browser session that is not open; `Refusal` 429 and 503.
    func authenticate(_ request: PlatformLoginRequest, at mount: PlatformMount) async throws -> PlatformLoginReply {
        guard let authOTT = request.authOTT, let login = try await proofs.take(authOTT),
            let purpose = login.proof.commitments.purpose
        else { throw PlatformRefusal(.invalidAuthenticationSession) }
        let url = try await mount.url
        let identity = login.proof.identity
        let needsSession = purpose.scope.needsSession(in: purpose.generation, hasCode: login.accessCode != nil)
        if needsSession { try await requireOpenSession(of: login) }
        if purpose.scope == .registrationCode, MPinIDText.verification(of: identity.mpinID) == .registrationCode {
            throw PlatformRefusal(.limitedQuickCodeGeneration)
        }
        let proved = try await settled(
            try await verdict(on: identity.mpinID) { try await $0.judge(login, under: authOTT) },
            provedBy: identity.publicKey?.bytes)
        if needsSession, let accessID = login.accessCode { try await finish(accessID, for: proved) }
        guard purpose.generation == .mfaV2 else {
            return try await result(of: purpose.scope, proved, accessID: login.accessCode, url: url)
        }
        return try await olderResult(
            of: purpose.scope, proved, accessID: login.accessCode, wantsCode: request.wantsCode, url: url)
    }

    /// A new identity takes the place of the one that it was made for, and a new key that of the old one, when the
    /// device has proved that it has them.
    /// - Throws: `PlatformRefusal` when the key was replaced since pass 1.
    private func settled(_ identity: RegisteredIdentity, provedBy publicKey: [UInt8]?) async throws
        -> RegisteredIdentity
    {
        // A client may have offered the key that it has: it has taken the next one then.
        let hasNext = publicKey != nil && publicKey == identity.nextPublicKey
        if identity.replaces == nil, identity.publicKey == publicKey, !hasNext { return identity }
        guard let settled = try await storage.durable.settle(publicKey: publicKey, of: identity.mpinID) else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        return settled
    }

    private func requireOpenSession(of login: BegunLogin) async throws {
        guard let accessID = login.accessCode,
            let session = try await sessions.value(for: accessID, now: clock.now), session.isOpenForLogin
        else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    /// Logs the browser in. Judging may have waited, and another device may have been faster.
    private func finish(_ accessID: String, for identity: RegisteredIdentity) async throws {
        let user = identity.userID
        let isDone = try await sessions.update(accessID, now: clock.now) { session in
            // A device that was offered a new key may log its user in once more.
            guard session.isOpenForLogin, (session.authenticatedUser ?? user) == user else { return false }
            session.authenticatedUser = user
            session.isRepeatable = identity.needsRenewal
            return true
        }
        guard isDone == true else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    /// - Throws: `PlatformRefusal` for a wrong PIN and for an identity that is blocked or revoked, `Refusal` 429 and
    ///   503.
    func verdict(
        on mpinID: MPinID, _ ask: (ProofEngine) async throws -> RegisteredIdentity
    ) async throws -> RegisteredIdentity {
        let identity: RegisteredIdentity
        do {
            identity = try await ask(proofs)
        } catch let refusal as Refusal where refusal.code == 401 {
            throw PlatformRefusal(.unsuccessfulAuthentication)
        } catch let refusal as Refusal where refusal.code == 410 {
            throw PlatformRefusal(.revokedMPinID)
        }
        guard try await !storage.durable.isRevoked(mpinID) else { throw PlatformRefusal(.revokedMPinID) }
        return identity
    }

    /// Asked where something is used that an identity got for proving its PIN.
    /// - Throws: `PlatformRefusal` when it was blocked or revoked since then.
    func requireGood(_ mpinID: MPinID) async throws {
        guard try await isGood(mpinID) else { throw PlatformRefusal(.revokedMPinID) }
    }

    /// Whether an identity is neither blocked nor revoked. One that was renewed is not known any more, and is as good
    /// as the one in its place.
    func isGood(_ mpinID: MPinID) async throws -> Bool {
        let isBlocked = try await storage.durable.identity(mpinID)?.isBlocked ?? false
        if isBlocked { return false }
        return try await !storage.durable.isRevoked(mpinID)
    }
}
