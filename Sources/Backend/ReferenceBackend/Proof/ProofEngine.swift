// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The two passes of a login and its verdict, under every dialect. Milagro protocol, sections 7.1 and 11.1; MIRACL
/// protocol, section 9.
///
/// Each place has its own, because a pass 2 counts only where its pass 1 was; the judge with the counters is the same
/// for all. Nothing here looks at a PIN before the judge does (docs/decisions/0037-judged-when-counted.md).
struct ProofEngine: Sendable {
    private let judge: LoginJudge
    private let mails: LoginMails?
    private let clock: any WallClock
    // docs/backend-bounds.md says who can fill each table, and what happens then.
    private let passOnes: any VolatileTable<MPinID, PassOneRecord>
    private let logins: any VolatileTable<OneTimeToken, BegunLogin>

    /// - Parameter mails: nil where owners are not told of their logins.
    init(
        at place: String, judge: LoginJudge, mails: LoginMails? = nil, in storage: any VolatileStorage,
        clock: any WallClock
    ) {
        self.judge = judge
        self.mails = mails
        self.clock = clock
        passOnes = storage.table(place + "/pass 1", bounds: .ofPeople)
        logins = storage.table(place + "/begun logins", bounds: .ofPeople)
    }

    /// Pass 1: keeps the commitments and answers with a fresh challenge.
    /// - Parameter check: looks at the identity, and whether it is revoked, and throws where the order does not admit
    ///   it; nil for one that is not known.
    /// - Throws: what `check` throws; `Refusal` 429 when too many logins of the identity were begun without a verdict,
    ///   503 when they cannot be counted; `StorageError`.
    func begin(
        _ order: LoginOrder, _ commitments: Commitments, check: (RegisteredIdentity?, Bool) throws -> Void
    ) async throws -> Challenge {
        let record = PassOneRecord(commitments: commitments, challenge: try Challenge.random())
        try await judge.begin(order, keeping: record, in: passOnes, check: check)
        return record.challenge
    }

    /// Pass 2: keeps the proof, unseen, until its authOTT is handed in. Pass 1 is taken before anything else can
    /// happen: a second pass 2 on the same one finds nothing.
    /// - Returns: the authOTT; nil when there is no pass 1, or it is too old.
    func answer(
        of mpinID: MPinID, response: [UInt8], accessCode: String?, oneTimePassword: String? = nil
    ) async throws -> OneTimeToken? {
        let (authOTT, now) = (try OneTimeToken.random(), clock.now)
        let second = PassTwo(
            response: response, days: try? now.daysOfValidPermits, accessCode: accessCode,
            oneTimePassword: oneTimePassword)
        let isKept = try await judge.ledger.answer(
            passOnes, of: mpinID, with: second, in: logins, under: authOTT, now: now)
        return isKept ? authOTT : nil
    }

    /// The login of an authOTT, once, whatever the verdict will be. Where the identity is busy it counts once more: the
    /// device is told to wait, and hands it in again.
    /// - Parameters:
    ///   - isPlain: whether it must be one without a browser; the others are their device's to present.
    ///   - sessions: where the browser's session is looked up.
    /// - Returns: nil when there is none. The caller judges it, or gives its turn back.
    /// - Throws: `Refusal` 429 where the identity is busy; 503, `StorageError`.
    func take<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, isPlain: Bool = false, seeing sessions: any VolatileTable<String, Session>
    ) async throws -> (login: BegunLogin, turn: JudgingTurn, session: TableEntry<Session>?)? {
        do {
            return try await judge.take(authOTT, in: logins, isPlain: isPlain, seeing: sessions)
        } catch is LoginIsBusy {
            throw Refusal.tooManyLogins
        }
    }

    /// - Parameters:
    ///   - browser: where the browser is that is logged in; nil for none.
    ///   - card: the personal card that the device says it was shown; nil for none.
    ///   - sequel: what a right verdict is to bring about.
    /// - Throws: as ``LoginJudge/judge(_:in:browser:then:)``.
    func judge(
        _ login: BegunLogin, in turn: JudgingTurn, browser: BrowserLocation? = nil, card: StoredCard? = nil,
        then sequel: (RegisteredIdentity) -> VerdictSequel? = { _ in nil }
    ) async throws -> SettledIdentity {
        guard let proof = login.proof else {
            await giveBack(turn)
            throw Refusal.notReady
        }
        let settled = try await judge.judge(proof, in: turn, browser: browser, then: sequel)
        guard !settled.isRevoked else { return settled }
        await mails?.tell(settled.identity.userID, browser: browser)
        if let card { await judge.note(card, of: settled.identity.mpinID) }
        return settled
    }

    /// A login that was taken and could not be ended for want of room: the device hands it in again.
    func keep(_ login: BegunLogin, under authOTT: OneTimeToken) async throws {
        try await judge.ledger.keep(login, in: logins, under: authOTT, now: clock.now)
    }

    /// For a login that is not to be judged now, because there is no room for what would come of it: nothing is
    /// counted, and the device hands it in again.
    func postpone(_ login: BegunLogin, under authOTT: OneTimeToken, _ turn: JudgingTurn) async throws {
        try await keep(login, under: authOTT)
        await giveBack(turn)
    }

    /// - Throws: `Refusal` 403 for a browser at another place, where the operator refuses those; then the turn is given
    ///   back, and nothing was judged.
    func require(_ location: BrowserLocation?, for networks: NetworkPlaces, in turn: JudgingTurn) async throws {
        guard location == .other, networks.refusesOthers else { return }
        await judge.refuse(turn)
        throw Refusal(403, "This browser is at another place")
    }

    /// For a login that is not to be judged.
    func giveBack(_ turn: JudgingTurn) async { await judge.giveBack(turn) }

    /// - Throws: as ``LoginJudge/judge(_:of:)``; `Refusal` 429 where the identity is busy.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> SettledIdentity {
        do {
            return try await judge.judge(submitted, of: identity)
        } catch is LoginIsBusy {
            throw Refusal.tooManyLogins
        }
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
    let generation: PlatformGeneration
}

/// The record that pass 1 leaves for pass 2. It is used once, whether pass 2 is good or bad.
struct PassOneRecord: Codable, Sendable {
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
struct BegunLogin: Sendable {
    static let lifetime = Duration.seconds(60)

    let passOne: PassOneRecord
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
    static func passwordTimes(from now: WallTime) -> CodeTimes { CodeTimes(begins: now, lifetime: lifetime) }
}

/// As a list of two: a storage may put it together from what both have brought.
extension BegunLogin: Codable {
    init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        self.init(passOne: try parts.decode(PassOneRecord.self), passTwo: try parts.decode(PassTwo.self))
    }

    func encode(to encoder: any Encoder) throws {
        var parts = encoder.unkeyedContainer()
        try parts.encode(passOne)
        try parts.encode(passTwo)
    }
}
