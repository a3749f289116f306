// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import OpenIDProvider

/// The three requests of a login. MIRACL protocol, section 9.
extension Platform {
    /// `POST /rps/v2/pass1`: keeps the commitment and answers with a fresh challenge.
    /// - Throws: `PlatformRefusal` for an unknown identity, and for one that is blocked or revoked; `Refusal` 429 when
    ///   too many logins of it were begun without a verdict, 503 when they cannot be counted.
    func pass1(_ request: PlatformPassOneRequest, at mount: PlatformMount) async throws -> PlatformPassOneReply {
        // Identities of the classic protocol have no type.
        guard MPinIDText.verification(of: request.mpinID) != nil else { throw PlatformRefusal.invalid("mpin_id") }
        var publicKey = request.publicKey
        if !request.scope.isFor(hasKey: publicKey != nil, in: mount.generation) {
            guard let known = try await storage.durable.identity(request.mpinID) else {
                throw PlatformRefusal.invalid("mpin_id")
            }
            guard request.scope.isFor(hasKey: known.publicKey != nil, in: mount.generation) else {
                throw PlatformRefusal.invalid("scope")
            }
            guard publicKey == nil else { throw PlatformRefusal.invalid("publicKey") }
            // The device did not say which key it has; it is the identity's own.
            publicKey = known.publicKey
        }
        guard let identity = try? MPinIdentity(request.mpinID, claiming: publicKey) else {
            throw PlatformRefusal.invalid("publicKey")
        }
        let commitments = Commitments(
            identity: identity, plain: request.commitment,
            purpose: LoginPurpose(scope: request.scope, generation: mount.generation))
        let order = LoginOrder(mpinID: request.mpinID, publicKey: publicKey, mustBeGood: true)
        let challenge = try await proofs.begin(order, commitments) { known, isRevoked in
            guard let known else { throw PlatformRefusal.invalid("mpin_id") }
            guard request.scope.isFor(hasKey: known.publicKey != nil, in: mount.generation) else {
                throw PlatformRefusal.invalid("scope")
            }
            guard order.isKey(of: known) else { throw PlatformRefusal.invalid("publicKey") }
            guard !known.isBlocked, !isRevoked else { throw PlatformRefusal(.expiredMPinID) }
        }
        return PlatformPassOneReply(challenge: challenge)
    }

    /// `POST /rps/v2/pass2`: keeps the proof and answers with an authOTT, for a right PIN and a wrong one alike.
    /// - Throws: `PlatformRefusal` when there is no pass 1 or it is too old.
    func pass2(_ request: PlatformPassTwoRequest) async throws -> PlatformPassTwoReply {
        guard
            let authOTT = try await proofs.answer(
                of: request.mpinID, response: request.response, accessCode: request.accessCode)
        else { throw PlatformRefusal.invalid("mpin_id") }
        return PlatformPassTwoReply(authOTT: authOTT)
    }

    /// `POST /rps/v2/authenticate`: the verdict, and what the login was for.
    /// - Throws: `PlatformRefusal` for an authOTT that does not count, a wrong PIN, an identity that is blocked or
    ///   revoked, and a browser session that is not open; `Refusal` 429, and 503, also when there is no room for what
    ///   would come of it: then it was not judged, and may be handed in again.
    func authenticate(_ request: PlatformLoginRequest, at mount: PlatformMount) async throws -> PlatformLoginReply {
        let url = try await mount.url
        let unknown = PlatformRefusal(.invalidAuthenticationSession)
        guard let authOTT = request.authOTT,
            let (login, turn, entry) = try await proofs.take(authOTT, seeing: sessions.begun)
        else {
            var spent = unknown
            spent.outcomeIsUnknown = true
            throw spent
        }
        let (commitments, identity) = (login.passOne.commitments, login.passOne.commitments.identity)
        let session = login.accessCode.flatMap { sessions.session($0, entry, clock.now)?.value }
        guard let purpose = commitments.purpose else {
            await proofs.giveBack(turn)
            throw unknown
        }
        let needsSession = purpose.scope.needsSession(in: purpose.generation, hasCode: login.accessCode != nil)
        let isForThisUser = session.map { $0.isFor(turn.before?.userID ?? "") } ?? true
        if needsSession, session?.isOpenForLogin != true || !isForThisUser {
            await proofs.giveBack(turn)
            throw unknown
        }
        if purpose.scope == .registrationCode, MPinIDText.verification(of: identity.mpinID) == .registrationCode {
            await proofs.giveBack(turn)
            throw PlatformRefusal(.limitedQuickCodeGeneration)
        }
        for table in tables(for: purpose, login, request, at: mount) {
            guard let refusal = storage.volatile.refusal(by: table, for: turn.person, now: clock.now) else { continue }
            try await proofs.postpone(login, under: authOTT, turn)
            throw refusal
        }
        let browser = needsSession ? login.accessCode.flatMap { sessions.location(of: $0, now: clock.now) } : nil
        try await proofs.require(browser, for: networks, in: turn)
        let publicKey = identity.publicKey?.bytes
        let judged = try await verdict {
            try await $0.judge(login, in: turn, browser: browser, card: request.card) { before in
                // A key or an identity that takes another one's place comes first.
                guard needsSession, let accessID = login.accessCode, isSettled(before, publicKey) else { return nil }
                let step = sessions.updating(accessID, now: clock.now) { finish(&$0.value, for: before) }
                return VerdictSequel(steps: [step], mustBeGood: true)
            }
        }
        let proved = try await settled(judged.identity, provedBy: publicKey)
        if needsSession, !judged.hasSequel, let accessID = login.accessCode { try await finish(accessID, for: proved) }
        do {
            var reply =
                purpose.generation == .mfaV2
                ? try await olderResult(
                    of: purpose.scope, proved, accessID: login.accessCode, wantsCode: request.wantsCode, url: url)
                : try await result(of: purpose.scope, proved, accessID: login.accessCode, url: url)
            reply.wrongPINs = judged.wrongPINs
            return reply
        } catch let refusal as Refusal where refusal.code == 503 {
            // The last place went meanwhile. A page that was logged in stays it.
            if !needsSession { try await proofs.keep(login, under: authOTT) }
            throw refusal
        }
    }

    /// Where a right PIN takes a place: of the codes that the device gets, or of the browser at this place's own pages.
    private func tables(
        for purpose: LoginPurpose, _ login: BegunLogin, _ request: PlatformLoginRequest, at mount: PlatformMount
    ) -> [String] {
        let isOld = purpose.generation == .mfaV2
        switch purpose.scope {
        case .oidc: return mount.browserTables + (isOld && request.wantsCode ? [applicationLogins.name] : [])
        case .authorizationCode: return [applicationLogins.name]
        case .registrationCode: return [activations.shortName] + (isOld ? [] : [Self.quickCodeRightsName])
        case .oneTimePassword, .signingRegistration, .signing, .jwt: return []
        }
    }

    /// A new identity takes the place of the one that it was made for, and a new key that of the old one, when the
    /// device has proved that it has them.
    /// - Throws: `PlatformRefusal` when the key was replaced since pass 1.
    private func settled(_ identity: RegisteredIdentity, provedBy publicKey: [UInt8]?) async throws
        -> RegisteredIdentity
    {
        if isSettled(identity, publicKey) { return identity }
        guard let settled = try await storage.durable.settle(publicKey: publicKey, of: identity.mpinID) else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        return settled
    }

    private func isSettled(_ identity: RegisteredIdentity, _ publicKey: [UInt8]?) -> Bool {
        // A client may have offered the key that it has: it has taken the next one then.
        let hasNext = publicKey != nil && publicKey == identity.nextPublicKey
        return identity.replaces == nil && identity.publicKey == publicKey && !hasNext
    }

    /// Logs the browser in. Judging may have waited, and another device may have been faster.
    private func finish(_ accessID: String, for identity: RegisteredIdentity) async throws {
        let isDone = try await sessions.update(accessID, now: clock.now) { finish(&$0, for: identity) }
        guard isDone == true else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    private func finish(_ session: inout PlatformSession, for identity: RegisteredIdentity) -> Bool {
        let user = identity.userID
        // A device that was offered a new key may log its user in once more.
        guard session.isOpenForLogin, session.isFor(user), (session.authenticatedUser ?? user) == user else {
            return false
        }
        session.authenticatedUser = user
        session.isRepeatable = identity.needsRenewal
        return true
    }

    /// - Throws: `PlatformRefusal` for a wrong PIN and for an identity that is blocked or revoked, `Refusal` 429 and
    ///   503.
    func verdict(_ ask: (ProofEngine) async throws -> SettledIdentity) async throws -> SettledIdentity {
        let judged: SettledIdentity
        do {
            judged = try await ask(proofs)
        } catch let refusal as Refusal where refusal.code == 401 {
            throw PlatformRefusal(.unsuccessfulAuthentication)
        } catch let refusal as Refusal where refusal.code == 410 {
            throw PlatformRefusal(.revokedMPinID)
        }
        guard !judged.isRevoked else { throw PlatformRefusal(.revokedMPinID) }
        return judged
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
