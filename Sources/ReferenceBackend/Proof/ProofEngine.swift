// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The two passes of a login and its verdict, under every dialect. Milagro protocol, sections 7.1 and 11.1; MIRACL
/// protocol, section 9.
///
/// Each place has its own, because a pass 2 counts only where its pass 1 was; the judge with the counters is the same
/// for all. Nothing here looks at a PIN before the judge does (docs/decisions/0037-judged-when-counted.md).
struct ProofEngine: Sendable {
    private let judge: LoginJudge
    private let clock: any WallClock
    // docs/backend.md says who can fill each table, and what happens then.
    private let passOnes: any VolatileTable<MPinID, PassOneRecord>
    private let logins: any VolatileTable<OneTimeToken, BegunLogin>

    init(at place: String, judge: LoginJudge, in storage: any VolatileStorage, clock: any WallClock) {
        self.judge = judge
        self.clock = clock
        passOnes = storage.table(place + "/pass 1")
        logins = storage.table(place + "/logins")
    }

    /// Pass 1: keeps the commitments and answers with a fresh challenge.
    /// - Throws: `Refusal` 429 when too many logins of the identity were begun without a verdict, 503 when they cannot
    ///   be counted; `StorageError`.
    func begin(_ commitments: Commitments, of known: RegisteredIdentity) async throws -> Challenge {
        try await judge.begin(known)
        let challenge = try Challenge.random()
        let now = clock.now
        try await passOnes.insert(
            PassOneRecord(commitments: commitments, challenge: challenge), for: known.mpinID,
            expires: now + PassOneRecord.lifetime, now: now)
        return challenge
    }

    /// Pass 2: the proof, unseen. It is taken before anything else can happen: a second pass 2 on the same pass 1 finds
    /// nothing.
    /// - Returns: nil when there is no pass 1, or it is too old.
    func proof(of mpinID: MPinID, response: [UInt8]) async throws -> LoginProof? {
        let now = clock.now
        guard let record = try await passOnes.take(mpinID, now: now) else { return nil }
        let usesPermits = record.commitments.permitted != nil
        return LoginProof(
            commitments: record.commitments, days: usesPermits ? try now.daysOfValidPermits : [nil],
            challenge: record.challenge, response: response)
    }

    /// Keeps what pass 2 brought until its authOTT is handed in.
    func keep(_ login: BegunLogin) async throws -> OneTimeToken {
        let authOTT = try OneTimeToken.random()
        let now = clock.now
        try await logins.insert(login, for: authOTT, expires: now + BegunLogin.lifetime, now: now)
        return authOTT
    }

    /// The login of an authOTT, once, whatever the verdict will be. What is not judged comes back.
    func take(_ authOTT: OneTimeToken) async throws(StorageError) -> BegunLogin? {
        try await logins.take(authOTT, now: clock.now)
    }

    /// As `take`, for a login without a browser; the others are their device's to present.
    func takePlain(_ authOTT: OneTimeToken) async throws(StorageError) -> BegunLogin? {
        try await logins.change(authOTT, now: clock.now) { entry in
            guard let login = entry?.value, login.accessCode == nil else { return nil }
            entry = nil
            return login
        }
    }

    /// - Parameter authOTT: under which the login was taken. Where the identity is busy it counts once more: the device
    ///   is told to wait, and hands it in again.
    /// - Throws: as ``LoginJudge/judge(_:)``; `Refusal` 429 where the identity is busy.
    func judge(_ login: BegunLogin, under authOTT: OneTimeToken) async throws -> RegisteredIdentity {
        do {
            return try await judge.judge(login.proof)
        } catch is LoginIsBusy {
            let now = clock.now
            try await logins.insert(login, for: authOTT, expires: now + BegunLogin.lifetime, now: now)
            throw Refusal.tooManyLogins
        }
    }

    /// - Throws: as ``LoginJudge/judge(_:of:)``; `Refusal` 429 where the identity is busy.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> RegisteredIdentity {
        do {
            return try await judge.judge(submitted, of: identity)
        } catch is LoginIsBusy {
            throw Refusal.tooManyLogins
        }
    }
}

/// What pass 1 brings.
struct Commitments: Codable, Sendable {
    let identity: MPinIdentity
    let plain: [UInt8]
    /// Nil where time permits are not in use.
    var permitted: [UInt8]?
    /// Nil in the classic dialects, whose pass 1 does not say.
    var purpose: LoginPurpose?
}

/// What a login was begun for.
struct LoginPurpose: Codable, Sendable {
    let scope: LoginScope
    let generation: PlatformGeneration
}

/// What pass 1 leaves for pass 2. It is used once, whether pass 2 is good or bad.
struct PassOneRecord: Codable, Sendable {
    static let lifetime = Duration.seconds(15)

    let commitments: Commitments
    let challenge: Challenge
}

/// What pass 2 leaves until its authOTT is handed in.
struct BegunLogin: Codable, Sendable {
    static let lifetime = Duration.seconds(60)

    let proof: LoginProof
    /// The access code or number of the browser's session; nil for a plain login.
    let accessCode: String?
    /// What the device has shown its person.
    var oneTimePassword: String?

    /// How long a one-time password counts.
    static func passwordTimes(from now: WallTime) -> CodeTimes { CodeTimes(begins: now, lifetime: lifetime) }
}
