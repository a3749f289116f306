// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import OpenIDProvider

/// The three requests of a login. docs/protocol/miracl.md, section 9.
extension Platform {
    /// `POST /rps/v2/pass1`: stores the commitment and answers with a fresh challenge.
    /// - Throws: `PlatformRefusal` for an identity that is unknown, blocked or revoked; `Refusal` 429 when too many
    ///   of its logins have no verdict, 503 when they cannot be counted.
    package func pass1(_ request: PlatformPassOneRequest, at mount: PlatformMount) async throws -> PlatformPassOneReply
    {
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
            // The device did not name its key, so it has the identity's own.
            publicKey = known.publicKey
        }
        guard let identity = try? MPinIdentity(request.mpinID, claiming: publicKey) else {
            throw PlatformRefusal.invalid("publicKey")
        }
        let pending = PendingChallenge(
            identity: identity, commitment: StoredBytes(request.commitment),
            purpose: LoginPurpose(scope: request.scope, generation: mount.generation), challenge: try .random())
        let order = LoginOrder(mpinID: request.mpinID, publicKey: publicKey, mustBeUsable: true)
        try await proofs.begin(order, pending) { known in
            guard let known else { throw PlatformRefusal.invalid("mpin_id") }
            guard request.scope.isFor(hasKey: known.publicKey != nil, in: mount.generation) else {
                throw PlatformRefusal.invalid("scope")
            }
            guard order.isKey(of: known) else { throw PlatformRefusal.invalid("publicKey") }
            guard !known.isBlocked, !known.isRevoked else { throw PlatformRefusal(.expiredMPinID) }
        }
        return PlatformPassOneReply(challenge: pending.challenge)
    }

    /// `POST /rps/v2/pass2`: stores the proof and answers with an authOTT, whether the PIN is right or wrong.
    /// - Throws: `PlatformRefusal` when there is no pass 1 or it is too old.
    package func pass2(_ request: PlatformPassTwoRequest) async throws -> PlatformPassTwoReply {
        guard
            let authOTT = try await proofs.answer(
                of: request.mpinID, response: request.response, accessCode: request.accessCode)
        else { throw PlatformRefusal.invalid("mpin_id") }
        return PlatformPassTwoReply(authOTT: authOTT)
    }

    /// `POST /rps/v2/authenticate`: the verdict, and the result that the login was for.
    /// - Throws: `PlatformRefusal` for an invalid authOTT, a wrong PIN, an identity that is blocked or revoked, and a
    ///   browser session that is not open; `Refusal` 429, and 503, also when there is no room for the result. Then
    ///   nothing was checked, and the device may send the request again.
    package func authenticate(_ request: PlatformLoginRequest, at mount: PlatformMount) async throws
        -> PlatformLoginReply
    {
        let url = try await mount.url
        guard let authOTT = request.authOTT, let login = try await proofs.take(authOTT) else {
            var spent = PlatformRefusal(.invalidAuthenticationSession)
            spent.outcomeIsUnknown = true
            throw spent
        }
        let identity = login.passOne.identity
        guard let purpose = login.passOne.purpose else { throw PlatformRefusal(.invalidAuthenticationSession) }
        let needsSession = purpose.scope.needsSession(in: purpose.generation, hasCode: login.accessCode != nil)
        let userID = MPinIDText.userID(in: identity.mpinID) ?? ""
        guard try await mayLogIn(userID, at: login.accessCode, needsSession: needsSession) else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        if purpose.scope == .registrationCode, MPinIDText.verification(of: identity.mpinID) == .registrationCode {
            throw PlatformRefusal(.limitedQuickCodeGeneration)
        }
        let needed = tables(for: purpose, login, request, at: mount)
        if let refusal = needed.lazy.compactMap({ $0.refusal(for: .person(userID), now: clock.now) }).first {
            try await proofs.keep(login, under: authOTT)
            throw refusal
        }
        let browser = needsSession ? login.accessCode.flatMap { sessions.location(of: $0, now: clock.now) } : nil
        try await proofs.require(browser, for: parts.networks, login)
        let checked = try await verdict {
            try await $0.check(login, under: authOTT, browser: browser, card: request.card)
        }
        let proved = try await settled(checked.identity, provedBy: identity.publicKey?.bytes)
        if needsSession, let accessID = login.accessCode { try await finish(accessID, for: proved) }
        do {
            var reply = try await result(of: login, for: purpose, proved, wantsCode: request.wantsCode, url: url)
            reply.wrongPINs = checked.wrongPINs
            return reply
        } catch let refusal as Refusal where refusal.code == 503 {
            // The table has filled up since. A page that was logged in stays logged in.
            if !needsSession { try await proofs.keep(login, under: authOTT) }
            throw refusal
        }
    }

    private func result(
        of login: PendingLogin, for purpose: LoginPurpose, _ identity: RegisteredIdentity, wantsCode: Bool, url: String
    ) async throws -> PlatformLoginReply {
        let (scope, accessID) = (purpose.scope, login.accessCode)
        return purpose.generation == .mfaV2
            ? try await olderResult(of: scope, identity, accessID: accessID, wantsCode: wantsCode, url: url)
            : try await result(of: scope, identity, accessID: accessID, url: url)
    }

    /// Whether the session of a code takes a login of the user.
    private func mayLogIn(_ userID: String, at accessID: String?, needsSession: Bool) async throws -> Bool {
        guard let accessID else { return !needsSession }
        let session = try await sessions.value(for: accessID, now: clock.now)
        if needsSession, session?.isOpenForLogin != true { return false }
        return session?.isFor(userID) ?? true
    }

    /// The tables that need an entry after a right PIN: for the codes that the device gets, or for the browser at
    /// this endpoint's pages.
    private func tables(
        for purpose: LoginPurpose, _ login: PendingLogin, _ request: PlatformLoginRequest, at mount: PlatformMount
    ) -> [any VolatileTable] {
        let isOld = purpose.generation == .mfaV2
        switch purpose.scope {
        case .oidc: return mount.browserTables + (isOld && request.wantsCode ? [applicationLogins.table] : [])
        case .authorizationCode: return [applicationLogins.table]
        case .registrationCode: return [activations.shortCodes] + (isOld ? [] : [registrationCodeRights])
        case .oneTimePassword, .signingRegistration, .signing, .jwt: return []
        }
    }

    /// Lets a new identity or key replace the old one, once the device has proved that it has it.
    /// - Throws: `PlatformRefusal` when the key was replaced since pass 1.
    private func settled(_ identity: RegisteredIdentity, provedBy publicKey: [UInt8]?) async throws
        -> RegisteredIdentity
    {
        if isSettled(identity, publicKey) { return identity }
        let settled = try await storage.durable.change(identity.mpinID) { $0.settle(publicKey: publicKey) ? $0 : nil }
        guard let settled = settled ?? nil else {
            throw PlatformRefusal(.invalidAuthenticationSession)
        }
        return settled
    }

    private func isSettled(_ identity: RegisteredIdentity, _ publicKey: [UInt8]?) -> Bool {
        // A client may have offered the key that it has: then it has taken the next one.
        let hasNext = publicKey != nil && publicKey == identity.nextPublicKey
        return identity.replaces == nil && identity.publicKey == publicKey && !hasNext
    }

    /// Lets the page log its browser in. Another device may have been faster during the verification.
    private func finish(_ accessID: String, for identity: RegisteredIdentity) async throws {
        // A device that gets a new key may log its user in once more.
        let isDone = try await sessions.update(accessID, now: clock.now) {
            $0.value.prove(identity.userID, isRepeatable: identity.needsRenewal) ? true : nil
        }
        guard isDone != nil else { throw PlatformRefusal(.invalidAuthenticationSession) }
    }

    /// - Throws: `PlatformRefusal` for a wrong PIN and for an identity that is blocked or revoked, `Refusal` 429 and
    ///   503.
    func verdict(_ ask: (ProofEngine) async throws -> ProvedIdentity) async throws -> ProvedIdentity {
        let checked: ProvedIdentity
        do {
            checked = try await ask(proofs)
        } catch let refusal as Refusal where refusal.code == 401 {
            throw PlatformRefusal(.unsuccessfulAuthentication)
        } catch let refusal as Refusal where refusal.code == 410 {
            throw PlatformRefusal(.revokedMPinID)
        }
        guard !checked.identity.isRevoked else { throw PlatformRefusal(.revokedMPinID) }
        return checked
    }

    /// Checks an identity when something is used that it got for proving its PIN.
    /// - Throws: `PlatformRefusal` when it was blocked or revoked since then.
    func requireGood(_ mpinID: MPinID) async throws {
        guard try await isGood(mpinID) else { throw PlatformRefusal(.revokedMPinID) }
    }

    /// Whether an identity is neither blocked nor revoked. A renewed identity is unknown: its successor has
    /// replaced it.
    func isGood(_ mpinID: MPinID) async throws -> Bool {
        try await storage.durable.identity(mpinID).map { !$0.isBlocked && !$0.isRevoked } ?? true
    }
}
