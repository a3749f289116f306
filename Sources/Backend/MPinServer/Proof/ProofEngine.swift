// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The two passes of a login and its verdict, under every dialect. docs/protocol/milagro.md, sections 7.1 and 11.1;
/// docs/protocol/miracl.md, section 9.
///
/// Each place has its own, because a pass 2 counts only where its pass 1 was; the judge with the counters is the same
/// for all. Nothing here looks at a PIN before the judge does (docs/decisions/0037-judged-when-counted.md).
package struct ProofEngine: Sendable {
    private let judge: LoginJudge
    private let mails: LoginMails?
    private let clock: any WallClock
    // docs/backend-bounds.md says who can fill each table, and what happens then.
    private let pendingChallenges: any VolatileTable<MPinID, PendingChallenge>
    private let logins: any VolatileTable<OneTimeToken, PendingLogin>

    /// - Parameter mails: nil where owners are not told of their logins.
    package init(
        at place: String, judge: LoginJudge, mails: LoginMails? = nil, in storage: any VolatileStorage,
        clock: any WallClock
    ) {
        self.judge = judge
        self.mails = mails
        self.clock = clock
        pendingChallenges = storage.table(place + "/pass 1", bounds: .ofPeople)
        logins = storage.table(place + "/begun logins", bounds: .ofPeople)
    }

    /// Pass 1: keeps the commitments and answers with a fresh challenge.
    /// - Parameter check: looks at the identity, and throws where the order does not admit it; nil for one that is not
    ///   known.
    /// - Throws: what `check` throws; `Refusal` 429 when too many logins of the identity were begun without a verdict,
    ///   503 when they cannot be counted; `StorageError`.
    func begin(
        _ order: LoginOrder, _ commitments: Commitments, check: (RegisteredIdentity?) throws -> Void
    ) async throws -> Challenge {
        let record = PendingChallenge(commitments: commitments, challenge: try Challenge.random())
        let identity = try await judge.begin(order, check: check)
        let now = clock.now
        try await pendingChallenges.insert(
            record, for: identity.mpinID, of: .person(identity.userID), expires: now + PendingChallenge.lifetime,
            now: now)
        return record.challenge
    }

    /// Pass 2: keeps the proof, unseen, until its authOTT is handed in. Pass 1 is taken before anything else can
    /// happen: a second pass 2 on the same one finds nothing.
    /// - Returns: the authOTT; nil when there is no pass 1, or it is too old.
    func answer(
        of mpinID: MPinID, response: [UInt8], accessCode: String?, oneTimePassword: String? = nil
    ) async throws -> OneTimeToken? {
        let (authOTT, now) = (try OneTimeToken.random(), clock.now)
        guard let first = try await pendingChallenges.take(mpinID, now: now) else { return nil }
        let second = PassTwo(
            response: response, days: try? now.daysOfValidPermits, accessCode: accessCode,
            oneTimePassword: oneTimePassword)
        try await keep(PendingLogin(passOne: first, passTwo: second), under: authOTT)
        return authOTT
    }

    /// The login of an authOTT, once, whatever the verdict will be.
    /// - Parameter isPlain: whether it must be one without a browser; the others are their device's to present.
    /// - Returns: nil when there is none.
    /// - Throws: `Refusal` 503 as long as the server secret is not known; `StorageError`.
    package func take(_ authOTT: OneTimeToken, isPlain: Bool = false) async throws -> PendingLogin? {
        try judge.requireSecret()
        guard isPlain else { return try await logins.take(authOTT, now: clock.now) }
        return try await logins.change(authOTT, now: clock.now) { entry -> PendingLogin? in
            guard let login = entry?.value, login.accessCode == nil else { return nil }
            entry = nil
            return login
        }
    }

    /// - Parameters:
    ///   - browser: where the browser is that is logged in; nil for none.
    ///   - card: the personal card that the device says it was shown; nil for none.
    /// - Throws: as ``LoginJudge/judge(_:browser:)``. Where there is no verdict the login counts once more.
    func judge(
        _ login: PendingLogin, under authOTT: OneTimeToken, browser: BrowserLocation? = nil, card: StoredCard? = nil
    ) async throws -> ProvedIdentity {
        guard let proof = login.proof else { throw Refusal.notReady }
        let settled: ProvedIdentity
        do { settled = try await judge.judge(proof, browser: browser) } catch let refusal as Refusal
            where refusal.code == 429 || refusal.code == 503
        {
            try? await keep(login, under: authOTT)
            throw refusal
        }
        guard !settled.identity.isRevoked else { return settled }
        await mails?.tell(settled.identity.userID, browser: browser)
        if let card { await judge.note(card, of: settled.identity) }
        return settled
    }

    /// A login that was taken and not ended, such as for want of room: the device hands it in again.
    package func keep(_ login: PendingLogin, under authOTT: OneTimeToken) async throws {
        let now = clock.now
        try await logins.insert(
            login, for: authOTT, of: .person(login.mpinID.fingerprint), expires: now + PendingLogin.lifetime, now: now)
    }

    /// - Throws: `Refusal` 403 for a browser at another place, where the operator refuses those; then nothing is
    ///   judged.
    package func require(_ location: BrowserLocation?, for networks: NetworkPlaces, _ login: PendingLogin) async throws
    {
        guard location == .other, networks.refusesOthers else { return }
        try await judge.refuse(login.mpinID)
        throw Refusal(403, "This browser is at another place")
    }

    /// - Throws: as ``LoginJudge/judge(_:of:)``.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> ProvedIdentity {
        try await judge.judge(submitted, of: identity)
    }
}

/// The values that pass 1 brings.
struct Commitments: Sendable {
    let identity: MPinIdentity
    let plain: [UInt8]
    /// Nil where time permits are not in use.
    var permitted: [UInt8]?
    /// Nil in the classic dialects, whose pass 1 does not say.
    var purpose: LoginPurpose?
}

/// The scope and the generation that a login was begun for.
struct LoginPurpose: Codable, Sendable {
    let scope: LoginScope
    package let generation: PlatformGeneration
}

/// The record that pass 1 leaves for pass 2. It is used once, whether pass 2 is good or bad.
struct PendingChallenge: Codable, Sendable {
    static let lifetime = Duration.seconds(15)

    let commitments: Commitments
    let challenge: Challenge
}

/// The values that pass 2 brings.
struct PassTwo: Sendable {
    let response: [UInt8]
    /// For which permits count when it arrives; nil by a clock that knows no day.
    let days: [EpochDay]?
    /// The access code or number of the browser's session; nil for a plain login.
    var accessCode: String?
    /// The one-time password that the device has shown its person.
    var oneTimePassword: String?
}

/// The record that both passes leave until their authOTT is handed in.
package struct PendingLogin: Codable, Sendable {
    static let lifetime = Duration.seconds(60)

    let passOne: PendingChallenge
    let passTwo: PassTwo

    var mpinID: MPinID { passOne.commitments.identity.mpinID }
    var accessCode: String? { passTwo.accessCode }
    var oneTimePassword: String? { passTwo.oneTimePassword }

    /// Nil when nothing says for which day a permit has to be.
    var proof: LoginProof? {
        guard let days: [EpochDay?] = passOne.commitments.permitted == nil ? [nil] : passTwo.days else { return nil }
        return LoginProof(
            commitments: passOne.commitments, days: days, challenge: passOne.challenge, response: passTwo.response)
    }

    /// How long a one-time password counts.
    package static func passwordTimes(from now: WallTime) -> CodeTimes { CodeTimes(begins: now, lifetime: lifetime) }
}
