// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// New identities: the device makes a key of its own, the shares are for mpin_id and public key together. MIRACL
/// protocol, section 8.
extension Platform {
    /// `POST /registration`, second generation.
    /// - Throws: `PlatformRefusal` for malformed data, an activation token that does not count, and a renewal's token
    ///   of an identity that was blocked or revoked since it got it.
    func register(_ request: PlatformRegistrationRequest, at mount: PlatformMount) async throws
        -> PlatformRegistrationReply
    {
        let userID = request.userID
        let url = try await mount.url
        let now = clock.now
        let (verification, replaced) = try await takeRight(of: userID, request.activationToken, now: now)
        let mpinID = try newMPinID(of: userID, verification, now: now)
        let identity = MPinIdentity(mpinID, publicKey: request.publicKey)
        try await store(identity, of: userID, replacing: replaced, now: now)
        return PlatformRegistrationReply(
            mpinID: mpinID, terms: terms(verification, now: now),
            secretURLs: (1...2).map { secretURL(for: identity, authority: $0, below: url, now: now) }, dtas: dtas)
    }

    func terms(_ verification: VerificationType, now: WallTime) -> RegistrationTerms {
        RegistrationTerms(projectID: projectID, pinLength: pinLength, verification: verification, now: now)
    }

    /// An activation token, or one that a renewal was offered with.
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

    /// `PUT /rps/v2/user`, first generation: an mpin_id for a user whose address is verified.
    /// - Throws: `PlatformRefusal` for malformed data or an activation token that does not count.
    func startRegistration(_ request: RegistrationStartRequest) async throws -> OpenRegistrationReply {
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
    /// - Throws: `PlatformRefusal` for malformed data and a registration that is unknown, expired or another regOTT's.
    func clientSecretShare(for mpinID: MPinID, query: FormFields, at mount: PlatformMount) async throws -> FirstShare {
        let publicKey = try DVSPublicKey(field: query["publicKey"])
        let url = try await mount.url
        let now = clock.now
        // A wrong regOTT changes nothing: who knows only the mpin_id must not be able to end a registration.
        guard let regOTT = query["regOTT"].flatMap({ OneTimeToken($0) }),
            let pending = try await pendingRegistrations.value(for: mpinID, now: now),
            Digest.equal(regOTT.digest, pending.regOTT.digest),
            try await pendingRegistrations.take(mpinID, now: now) != nil
        else { throw PlatformRefusal.invalid("regOTT") }
        let identity = MPinIdentity(mpinID, publicKey: publicKey)
        try await store(identity, of: pending.userID, replacing: nil, now: now)
        return try firstShare(for: identity, below: url, now: now)
    }

    /// Share 1 itself and where share 2 is.
    func firstShare(for identity: MPinIdentity, below url: String, now: WallTime) throws -> FirstShare {
        guard let fields = FormFields(secretQuery(for: identity, now: now)) else {
            throw BackendError.cryptographyFailed
        }
        return FirstShare(
            share: try authorities[0].clientSecretShare(query: fields),
            secondURL: secretURL(for: identity, authority: 2, below: url, now: now), dtas: dtas)
    }

    /// `GET /dta/{number}/clientSecret`: the share of one D-TA, for 60 seconds.
    /// - Throws: `Refusal` as the D-TA, 404 for a third one.
    func clientSecretShare(
        ofAuthority number: Int, query: FormFields, in generation: PlatformGeneration
    ) throws -> AuthorityShareReply {
        guard authorities.indices.contains(number - 1) else { throw Refusal.notFound }
        return AuthorityShareReply(
            share: try authorities[number - 1].clientSecretShare(query: query),
            created: generation == .mfaV2 ? clock.now : nil)
    }

    func newMPinID(of userID: String, _ verification: VerificationType, now: WallTime) throws -> MPinID {
        MPinIDText.make(
            userID: userID, projectID: projectID, verification: verification, issued: now,
            salt: try RandomBytes.make(16))
    }

    func store(_ identity: MPinIdentity, of userID: String, replacing replaced: MPinID?, now: WallTime) async throws {
        let registered = RegisteredIdentity(
            mpinID: identity.mpinID, userID: userID, registered: now, publicKey: identity.publicKey?.bytes,
            replaces: replaced)
        try await storage.durable.add(registered)
    }

    private func secretQuery(for identity: MPinIdentity, now: WallTime) -> String {
        ShareRequest(credentials: credentials).clientSecretQuery(for: identity.hashed, mobile: 1, now: now)
    }

    private func secretURL(for identity: MPinIdentity, authority: Int, below url: String, now: WallTime) -> String {
        url + "/dta/\(authority)/clientSecret?" + secretQuery(for: identity, now: now)
    }

    /// Names both D-TAs. Clients echo it and read nothing from it.
    private var dtas: String {
        let names = (1...2).map { Hexadecimal.text(Digest.sha256(Array("dta\($0)\(credentials.appID)".utf8))) }
        return Base64.text(JSONValue.array(names.map { .string($0) }).text)
    }
}
