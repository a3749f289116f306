// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding
package import MPinCrypto
import Sealing

/// New identities. The device makes its own key, and the shares are for mpin_id and public key together.
/// docs/protocol/miracl.md, section 8.
extension Platform {
    /// `POST /registration`, second generation.
    /// - Throws: `PlatformRefusal` for malformed data, an invalid activation token, and the token of a renewal whose
    ///   identity was blocked or revoked since; `Refusal` 503 when a D-TA does not answer.
    package func register(_ request: PlatformRegistrationRequest, at mount: PlatformMount) async throws
        -> PlatformRegistrationReply
    {
        let userID = request.userID
        let url = try await mount.url
        let now = clock.now
        try await authorities.first.requireAnswer()
        try await authorities.second.requireAnswer()
        let (verification, replaced) = try await takeRight(of: userID, request.activationToken, now: now)
        let mpinID = try newMPinID(of: userID, verification, now: now)
        let identity = MPinIdentity(mpinID, publicKey: request.publicKey)
        try await store(identity, of: userID, replacing: replaced, at: mount, now: now)
        return PlatformRegistrationReply(
            mpinID: mpinID, terms: terms(verification, now: now),
            secretURLs: [
                secretURL(for: identity, authority: 1, below: url, now: now),
                secretURL(for: identity, authority: 2, below: url, now: now),
            ], dtas: dtas)
    }

    func terms(_ verification: VerificationType, now: WallTime) -> RegistrationTerms {
        RegistrationTerms(projectID: projectID, pinLength: pinLength, verification: verification, now: now)
    }

    /// Uses up an activation token or a renewal's token.
    private func takeRight(
        of userID: String, _ token: String, now: WallTime
    ) async throws -> (VerificationType, replaces: MPinID?) {
        if let number = OneTimeToken(token), let renewal = try await renewals.value(for: number, now: now),
            renewal.userID == userID, try await renewals.take(number, now: now) != nil
        {
            try await requireGood(renewal.prover)
            return (renewal.verification, renewal.replaces)
        }
        return (try await takeActivation(UserCode(userID: userID, code: token), now: now).type, nil)
    }

    /// `PUT /rps/v2/user`, first generation: an mpin_id for a user with a verified address.
    /// - Throws: `PlatformRefusal` for malformed data or an invalid activation token.
    package func startRegistration(_ request: RegistrationStartRequest) async throws -> OpenRegistrationReply {
        let userID = request.code.userID
        let now = clock.now
        let verification = try await takeActivation(request.code, now: now)
        let mpinID = try newMPinID(of: userID, verification.type, now: now)
        let regOTT = try OneTimeToken.random()
        let expires = now + PendingRegistration.lifetime
        try await pendingRegistrations.insert(
            PendingRegistration(userID: userID, regOTT: regOTT, verification: verification.type), for: mpinID,
            of: .person(userID), expires: expires, now: now)
        return OpenRegistrationReply(
            mpinID: mpinID, regOTT: regOTT, isActive: true, terms: terms(verification.type, now: now), expires: expires)
    }

    /// `GET /rps/v2/signature/{mpin_id_hex}?regOTT=&publicKey=`, first generation: share 1, once.
    /// - Throws: `PlatformRefusal` for malformed data, an unknown or expired registration, and a wrong regOTT;
    ///   `Refusal` 503 when a D-TA does not answer; then the registration stays open.
    package func clientSecretShare(for mpinID: MPinID, query: FormFields, at mount: PlatformMount) async throws
        -> FirstShare
    {
        let publicKey = try DVSPublicKey(field: query["publicKey"])
        let url = try await mount.url
        let now = clock.now
        // A wrong regOTT changes nothing: knowledge of the mpin_id must not suffice to end a registration.
        guard let regOTT = query["regOTT"].flatMap({ OneTimeToken($0) }),
            let pending = try await pendingRegistrations.value(for: mpinID, now: now),
            Digest.equal(regOTT.digest, pending.regOTT.digest)
        else { throw PlatformRefusal.invalid("regOTT") }
        let identity = MPinIdentity(mpinID, publicKey: publicKey)
        let share = try await firstShare(for: identity, below: url)
        guard try await pendingRegistrations.take(mpinID, now: now) != nil else {
            throw PlatformRefusal.invalid("regOTT")
        }
        try await store(identity, of: pending.userID, replacing: nil, at: mount, now: now)
        return share
    }

    /// Share 1, and the address of share 2. Nothing changes until both are known, because a D-TA elsewhere may not
    /// answer.
    /// - Throws: `Refusal` 503 when it does not.
    func firstShare(for identity: MPinIdentity, below url: String) async throws -> FirstShare {
        try await authorities.second.requireAnswer()
        let share = try await authorities.first.clientSecretShare(for: identity.hashed)
        return FirstShare(
            share: share, secondURL: secretURL(for: identity, authority: 2, below: url, now: clock.now), dtas: dtas)
    }

    /// `GET /dta/{number}/clientSecret`: the share of one D-TA. The query is valid for 60 seconds.
    /// - Throws: the D-TA's `Refusal`; 404 for an unknown D-TA and for one that devices ask elsewhere.
    package func clientSecretShare(
        ofAuthority number: Int, query: FormFields, in generation: PlatformGeneration
    ) async throws -> AuthorityShareReply {
        guard let authority = authorities[number], authority.url == nil else { throw Refusal.notFound }
        let now = clock.now
        let identity = try authority.requests.identity(ofClientSecret: query, now: now)
        return AuthorityShareReply(
            share: try await authority.clientSecretShare(for: identity), created: generation == .mfaV2 ? now : nil)
    }

    func newMPinID(of userID: String, _ verification: VerificationType, now: WallTime) throws -> MPinID {
        MPinIDText.make(
            userID: userID, projectID: projectID, verification: verification, issued: now,
            salt: try RandomBytes.make(16))
    }

    /// - Parameter mount: the endpoint in the owner's mail about a device that a code registered; nil for a new secret
    ///   of a known device.
    func store(
        _ identity: MPinIdentity, of userID: String, replacing replaced: MPinID?, at mount: PlatformMount?,
        now: WallTime
    ) async throws {
        if let mount, replaced == nil, MPinIDText.verification(of: identity.mpinID) == .registrationCode {
            try await tellOwner(of: identity.mpinID, userID: userID, at: mount, now: now)
        }
        let registered = RegisteredIdentity(
            mpinID: identity.mpinID, userID: userID, registered: now, publicKey: identity.publicKey?.bytes,
            replaces: replaced)
        try await storage.durable.add(registered)
    }

    private func secretURL(for identity: MPinIdentity, authority number: Int, below url: String, now: WallTime)
        -> String
    {
        let authority = number == 1 ? authorities.first : authorities.second
        return (authority.url ?? url + "/dta/\(number)") + "/clientSecret?"
            + authority.requests.clientSecretQuery(for: identity.hashed, now: now)
    }

    /// The names of both D-TAs. Clients send it back and do not read it.
    private var dtas: String {
        let names = (1...2).map { Hexadecimal.text(Digest.sha256(Array("dta\($0)\(credentials.appID)".utf8))) }
        return Base64.text(JSONValue.array(names.map { .string($0) }).text)
    }
}
