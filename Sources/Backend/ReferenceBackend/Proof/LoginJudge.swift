// SPDX-License-Identifier: Apache-2.0

import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// Another login of the identity is being judged; this one was not looked at.
struct LoginIsBusy: Error {}

/// One turn of judging: an identity that is claimed, until there is a verdict or the turn is given back. No other login
/// of it is looked at meanwhile, in any process and any dialect.
struct JudgingTurn: Sendable {
    let mpinID: MPinID
    let claim: UInt64
    /// When the claim ends by itself.
    let end: WallTime
    /// The identity when it was claimed; nil for one that is not known.
    var before: RegisteredIdentity?

    /// Owner of the entries that a right verdict makes.
    var person: EntryOwner { .person(before?.userID ?? "") }
}

/// An identity whose proof was right.
struct SettledIdentity: Sendable {
    let identity: RegisteredIdentity
    let isRevoked: Bool
    /// Whether what the verdict was to bring about has happened.
    let hasSequel: Bool
    /// Those since the right one before; nil when there was none.
    let wrongPINs: WrongPINs?
}

/// The counter behind 401, 401, 410, which every dialect shares. Milagro protocol, section 11.1.
///
/// Whether a PIN was right is computed here alone, after the attempt was counted in memory, and told after the verdict
/// was written. So no verdict is had for nothing: not by keeping an authOTT back, not by filling the disk.
///
/// The counter is per identity, so a stranger who knows an mpin_id could block its owner. That is slowed down: logins
/// of one identity are judged one at a time (another one meanwhile: 429, not counted), and after the first and second
/// failure in a row the next verdict waits until two and four seconds have passed. A person who types again does not
/// notice.
final class LoginJudge: Sendable {
    private static let pauses: [Duration] = [.zero, .seconds(2), .seconds(4)]

    /// Longer than judging takes: a process that dies meanwhile, where the storage cannot tell, keeps an identity from
    /// being judged no longer.
    private static let longestJudging = Duration.seconds(60)

    /// The state that this process alone knows.
    private struct Own {
        /// Identities of which it is judging a login right now.
        var judging: Set<MPinID> = []
        /// Wrong logins that the storage could not take yet; among them the one that is being looked at.
        var unwritten: [MPinID: Int64] = [:]
    }

    let ledger: any LoginLedger
    private let durable: any DurableStorage
    let abandonedClaims: AbandonedClaims
    private let own = Mutex(Own())
    private let verifier: LateVerifier
    private let proofs: ProofQueue
    private let clock: any WallClock
    private let watch: (any BackendWatch)?
    private let warning: FailureWarning?
    private let logger: Logger

    init(
        storage: BackendStorage, verifier: LateVerifier, proofs: ProofQueue, clock: any WallClock,
        watch: (any BackendWatch)? = nil, warning: FailureWarning? = nil, logger: Logger
    ) {
        self.watch = watch
        self.warning = warning
        ledger = storage.ledger
        durable = storage.durable
        abandonedClaims = AbandonedClaims(ledger: storage.ledger, clock: clock)
        self.verifier = verifier
        self.proofs = proofs
        self.clock = clock
        self.logger = logger
    }

    /// Notes with which card a person has proved the PIN. What goes wrong with it spoils no login.
    func note(_ card: StoredCard, of mpinID: MPinID) async {
        guard card.isPossible(at: clock.now) else { return }
        do throws(StorageError) { try await durable.keep(card, of: mpinID) } catch {
            logger.error("the times of a personal card were not noted", metadata: ["storage": "\(error.reason)"])
        }
    }

    /// Pass 1: lets a login begin, and counts it until there is a verdict.
    /// - Throws: what `check` throws; `Refusal` 429 when too many were begun without one, 503 when they cannot be
    ///   written or the server secret is not known yet; `StorageError`.
    func begin(
        _ order: LoginOrder, keeping record: PassOneRecord, in passOnes: any VolatileTable<MPinID, PassOneRecord>,
        check: (RegisteredIdentity?, Bool) throws -> Void
    ) async throws {
        let now = clock.now
        _ = try verifier.current()
        let beginning = try await counted {
            try await $0.begin(order, keeping: record, in: passOnes, now: now)
        }
        try check(beginning?.identity, beginning?.isRevoked ?? false)
        guard let beginning, beginning.forgotten != nil else { throw Refusal.uncounted }
        guard let wait = beginning.wait else { return proofs.expect(order.mpinID) }
        logger.warning(
            "too many logins begun without an end", metadata: ["identity": "\(order.mpinID.fingerprint)"])
        throw Refusal.tooManyBeginnings(wait: wait)
    }

    /// The last request: a login, and the turn to judge it. It ends with a verdict, or is given back.
    /// - Throws: ``LoginIsBusy``: then the login stays where it is. `Refusal` 503 as long as the server secret is not
    ///   known; `StorageError`.
    func take<Session: Codable & Sendable>(
        _ authOTT: OneTimeToken, in logins: any VolatileTable<OneTimeToken, BegunLogin>, isPlain: Bool,
        seeing sessions: any VolatileTable<String, Session>
    ) async throws -> (login: BegunLogin, turn: JudgingTurn, session: TableEntry<Session>?)? {
        _ = try verifier.current()
        let (now, claim) = (clock.now, UInt64.random(in: .min ... .max))
        let end = now + Self.longestJudging
        let answer: LoginClaim<Session>
        do {
            answer = try await ledger.claim(
                authOTT, in: logins, isPlain: isPlain, seeing: sessions, as: claim, until: end, now: now)
        } catch {
            abandonedClaims.add(nil, claim: claim, end: end)
            throw error
        }
        switch answer {
        case .unknown: return nil
        case .busy: throw LoginIsBusy()
        case .taken(let login, let identity, let session):
            let turn = JudgingTurn(mpinID: login.mpinID, claim: claim, end: end, before: identity)
            guard own.withLock({ $0.judging.insert(turn.mpinID).inserted }) else {
                // This process is at it for longer than a claim lasts.
                try await ledger.keep(login, in: logins, under: authOTT, now: now)
                await release(turn)
                throw LoginIsBusy()
            }
            return (login, turn, session)
        }
    }

    /// Ends a turn without a verdict.
    func giveBack(_ turn: JudgingTurn) async {
        own.withLock { _ = $0.judging.remove(turn.mpinID) }
        await release(turn)
    }

    private func release(_ turn: JudgingTurn) async {
        do { try await ledger.release(turn.mpinID, claim: turn.claim, now: clock.now) } catch {
            abandonedClaims.add(turn.mpinID, claim: turn.claim, end: turn.end)
        }
    }

    /// Ends a turn whose browser is at another place.
    func refuse(_ turn: JudgingTurn) async {
        watch?.judged(JudgedProof(.login, .elsewhere, of: turn.before, browser: .other))
        await giveBack(turn)
    }

    /// Judges a login whose authOTT was taken. The turn is over then.
    /// - Parameters:
    ///   - browser: where the browser is that is logged in; nil for none.
    ///   - sequel: what a right verdict is to bring about, of the identity as it was before.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 503 when the
    ///   verdict cannot be written: there is none then. `StorageError` when nothing can be read.
    func judge(
        _ proof: LoginProof, in turn: JudgingTurn, browser: BrowserLocation?,
        then sequel: (RegisteredIdentity) -> VerdictSequel?
    ) async throws -> SettledIdentity {
        try await judge(turn, forgives: true, browser: browser, then: sequel) { await self.holds(proof, for: $0) }
    }

    /// Judges a signature. A wrong one counts as a wrong PIN, because a thief of the device could try all PINs with
    /// it. A right one forgives nothing: an old one may be shown again at any time.
    /// - Throws: as for a login; ``LoginIsBusy``.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> SettledIdentity {
        let mpinID = identity.mpinID
        _ = try verifier.current()
        guard own.withLock({ $0.judging.insert(mpinID).inserted }) else { throw LoginIsBusy() }
        let (now, claim) = (clock.now, UInt64.random(in: .min ... .max))
        var turn = JudgingTurn(mpinID: mpinID, claim: claim, end: now + Self.longestJudging, before: nil)
        do {
            guard case .free(let before) = try await ledger.claim(mpinID, as: claim, until: turn.end, now: now) else {
                own.withLock { _ = $0.judging.remove(mpinID) }
                throw LoginIsBusy()
            }
            turn.before = before
        } catch let error as StorageError {
            await giveBack(turn)
            throw error
        }
        return try await judge(turn, forgives: false, then: { _ in nil }) { verifier in
            await self.proofs.beside {
                verifier.verify(
                    signature: submitted.signature, documentHash: submitted.documentHash, identity: identity)
                    == .accepted
            }
        }
    }

    /// One at a time, in this process and in all of them.
    private func judge(
        _ turn: JudgingTurn, forgives: Bool, browser: BrowserLocation? = nil,
        then sequel: (RegisteredIdentity) -> VerdictSequel?,
        _ look: (any ProofVerifier) async -> Bool
    ) async throws -> SettledIdentity {
        let (mpinID, kind) = (turn.mpinID, forgives ? JudgedProof.Kind.login : .signature)
        let (verdict, settled): (LoginVerdict, SettledLogin)
        do {
            let verifier = try verifier.current()
            guard let before = turn.before, !before.isBlocked else {
                watch?.judged(
                    JudgedProof(kind, turn.before == nil ? .unknown : .blocked, of: turn.before, browser: browser))
                throw Refusal(410, Self.wrongPIN)
            }
            verdict = try await self.verdict(on: before, forgives: forgives) { await look(verifier) }
            let found = verdict
            let next = found.isRight ? sequel(before) : nil
            // Without a write there is no verdict at all.
            settled = try await counted {
                try await $0.settle(found, of: mpinID, claim: turn.claim, now: found.time, then: next)
            }
        } catch {
            await giveBack(turn)
            throw error
        }
        own.withLock { _ = $0.judging.remove(mpinID) }
        setUnwritten(0, of: mpinID)
        watch?.judged(
            JudgedProof(kind, .init(verdict, settled.identity), of: settled.identity, browser: browser))
        if let after = settled.identity, let count = verdict.warning(of: after) {
            await warning?.send(to: after.userID, count, logger)
        }
        return SettledIdentity(
            identity: try tell(verdict, settled.identity, of: mpinID), isRevoked: settled.isRevoked,
            hasSequel: settled.hasSequel,
            wrongPINs: settled.identity?.recentFailures.since(turn.before?.lastLogin))
    }

    private func verdict(
        on before: RegisteredIdentity, forgives: Bool, _ look: () async -> Bool
    ) async throws -> LoginVerdict {
        let mpinID = before.mpinID
        var wrong = own.withLock { $0.unwritten[mpinID] ?? 0 }
        var isRight = false
        // With too many that could not be written, they are written first.
        if before.failures + wrong < RegisteredIdentity.maximumFailures {
            // Any relying party may show a signature again at any time, so only a wrong one waits.
            if forgives { try await pause(after: before) }
            // Counted before it is looked at. Whatever happens from here on, a wrong PIN is not forgotten.
            setUnwritten(wrong + 1, of: mpinID)
            isRight = await look()
            if isRight { setUnwritten(wrong, of: mpinID) } else { wrong += 1 }
            if !isRight, !forgives { try await pause(after: before) }
        }
        return LoginVerdict(
            isRight: isRight, forgives: forgives, wrong: wrong, time: clock.now,
            takenBack: .zero - BeginningRule().forgetting
        ).judged(of: before)
    }

    private func tell(
        _ verdict: LoginVerdict, _ after: RegisteredIdentity?, of mpinID: MPinID
    ) throws -> RegisteredIdentity {
        logger.info(
            "login judged",
            metadata: [
                "identity": "\(mpinID.fingerprint)", "right": "\(verdict.isRight)",
                "failures": "\(after?.failures ?? RegisteredIdentity.maximumFailures)",
            ])
        guard let after, !after.isBlocked else { throw Refusal(410, Self.wrongPIN) }
        guard verdict.isRight else { throw Refusal(401, Self.wrongPIN) }
        return after
    }

    private static let wrongPIN = "Wrong PIN."

    private func setUnwritten(_ count: Int64, of mpinID: MPinID) {
        own.withLock { $0.unwritten[mpinID] = count == 0 ? nil : count }
    }

    private func holds(_ proof: LoginProof, for verifier: any ProofVerifier) async -> Bool {
        guard let proof = proof.ofOneDay else { return await proofs.beside { proof.holds(for: verifier) } }
        return await proofs.holds(proof, for: verifier)
    }

    private func counted<Value: Sendable>(
        _ write: (any LoginLedger) async throws -> Value
    ) async throws -> Value {
        do {
            return try await write(ledger)
        } catch let error as StorageError {
            logger.error(
                "login not judged: the database cannot be written", metadata: ["reason": "\(error.reason)"])
            throw Refusal.uncounted
        }
    }

    private func pause(after identity: RegisteredIdentity) async throws {
        guard let lastFailure = identity.lastFailure, identity.failures > 0 else { return }
        let pause = Self.pauses[min(Int(identity.failures), Self.pauses.count - 1)]
        let now = clock.now
        // A clock that was set back must not turn seconds into hours.
        let deadline = min(lastFailure + pause, now + pause)
        guard deadline > now else { return }
        let clock = clock
        try await cancelWhenGracefulShutdown { try await clock.sleep(until: deadline) }
    }
}
