// SPDX-License-Identifier: Apache-2.0

import GRDB
import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// The counter behind 401, 401, 410, which every dialect shares. Milagro protocol, section 11.1.
///
/// Whether a PIN was right is computed here alone, after the attempt was counted in memory, and told after the verdict
/// was written. So no verdict is had for nothing: not by keeping an authOTT back, not by filling the disk.
///
/// The counter is per identity, so whoever knows an mpin_id could block its owner. That is slowed down: logins of one
/// identity are judged one at a time (another one meanwhile: 429, not counted), and after the first and second failure
/// in a row the next verdict waits until two and four seconds have passed. A person who types again does not notice.
final class LoginJudge: Sendable {
    private static let pauses: [Duration] = [.zero, .seconds(2), .seconds(4)]
    /// As many logins of one identity may be begun without a verdict, and one more each time that one is forgotten.
    private static let beginnings = 20
    private static let forgetting = Duration.seconds(30)
    /// Fewer than this are not worth a write; a restart forgives them.
    private static let written = 4

    /// What a restart may forget.
    private struct Ledger {
        /// Identities of which a login is being judged right now.
        var judging: Set<MPinID> = []
        /// Wrong logins that could not be written yet; among them the one that is being looked at.
        var unwritten: [MPinID: Int64] = [:]
        /// When every login that was begun without a verdict will be forgotten.
        var begun = ExpiringTable<MPinID, WallTime>(capacity: 4096)
    }

    private let database: BackendDatabase
    private let verifier: any ProofVerifier
    /// Those of the public listener.
    private let openRequests: OpenRequests
    private let clock: any WallClock
    private let logger: Logger
    private let ledger = Mutex(Ledger())

    init(
        database: BackendDatabase, verifier: any ProofVerifier, openRequests: OpenRequests, clock: any WallClock,
        logger: Logger
    ) {
        self.database = database
        self.verifier = verifier
        self.openRequests = openRequests
        self.clock = clock
        self.logger = logger
    }

    /// Pass 1: lets a login begin, and counts it until there is a verdict.
    /// - Throws: `Refusal` 429 when too many were begun without one, 503 when they cannot be written.
    func begin(_ identity: RegisteredIdentity) async throws {
        let (now, mpinID) = (clock.now, identity.mpinID)
        let (forgotten, isChanged, wait) = ledger.withLock { ledger -> (WallTime, Bool, Duration?) in
            let known = ledger.begun.value(for: mpinID, now: now) ?? identity.begunForgotten
            let latest = now + Self.forgetting * Self.beginnings
            // A clock that was set back must not turn minutes into hours.
            let before = min(max(known ?? now, now), latest)
            let after = before + Self.forgetting
            let forgotten = after <= latest ? after : before
            ledger.begun.insert(forgotten, for: mpinID, expires: forgotten, now: now)
            return (forgotten, forgotten != known, after <= latest ? nil : after - latest)
        }
        if isChanged, forgotten > now + Self.forgetting * (Self.written - 1) {
            try await write(survivesPowerCut: false) { database in
                guard var identity = try RegisteredIdentity.find(mpinID, in: database) else { return }
                try identity.countBeginning(forgotten: forgotten, in: database)
            }
        }
        guard let wait else { return }
        logger.warning(
            "too many logins begun without an end", metadata: ["identity": "\(mpinID.fingerprint)"])
        throw Refusal.tooManyBeginnings(wait: wait)
    }

    /// Judges a login whose authOTT nobody can present again.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 429, 503 when the
    ///   verdict cannot be written: there is none then.
    func judge(_ proof: LoginProof) async throws -> RegisteredIdentity {
        let verifier = verifier
        return try await judge(proof.identity.mpinID, forgives: true) { proof.holds(for: verifier) }
    }

    /// Judges a signature. A wrong one counts as a wrong PIN, because a thief of the device could try all PINs with
    /// it. A right one forgives nothing: an old one may be shown again at any time.
    /// - Throws: as for a login.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> RegisteredIdentity {
        let verifier = verifier
        return try await judge(identity.mpinID, forgives: false) {
            verifier.verify(
                signature: submitted.signature, documentHash: submitted.documentHash, identity: identity) == .accepted
        }
    }

    private func judge(
        _ mpinID: MPinID, forgives: Bool, _ look: @escaping @Sendable () -> Bool
    ) async throws -> RegisteredIdentity {
        guard ledger.withLock({ $0.judging.insert(mpinID).inserted }) else { throw Refusal.tooManyLogins }
        defer { ledger.withLock { _ = $0.judging.remove(mpinID) } }
        guard let before = try database.lookUp({ try RegisteredIdentity.find(mpinID, in: $0) }), !before.isBlocked
        else { throw Refusal(410, Self.wrongPIN) }
        var unwritten = ledger.withLock { $0.unwritten[mpinID] ?? 0 }
        var isRight = false
        // With too many that could not be written, they are written first.
        if before.failures + unwritten < RegisteredIdentity.maximumFailures {
            // Any relying party may show a signature again at any time, so only a wrong one waits.
            if forgives { try await pause(after: before) }
            // Counted before it is looked at. Whatever happens from here on, a wrong PIN is not forgotten.
            setUnwritten(unwritten + 1, of: mpinID)
            isRight = await beside(look)
            if isRight { setUnwritten(unwritten, of: mpinID) } else { unwritten += 1 }
            if !isRight, !forgives { try await pause(after: before) }
        }
        let verdict = LoginVerdict(
            isRight: isRight, forgives: forgives, wrong: unwritten, time: clock.now,
            takenBack: .zero - Self.forgetting)
        // The client does not wait for the disk to hear of a right PIN; but without a write there is no verdict at all.
        let after = try await write(survivesPowerCut: !isRight) { database -> RegisteredIdentity? in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database), !identity.isBlocked else {
                return nil
            }
            try identity.settle(verdict, in: database)
            return identity
        }
        forget(verdict, of: mpinID)
        logger.info(
            "login judged",
            metadata: [
                "identity": "\(mpinID.fingerprint)", "right": "\(isRight)",
                "failures": "\(after?.failures ?? RegisteredIdentity.maximumFailures)",
            ])
        guard let after, !after.isBlocked else { throw Refusal(410, Self.wrongPIN) }
        guard isRight else { throw Refusal(401, Self.wrongPIN) }
        return after
    }

    private static let wrongPIN = "Wrong PIN."

    private func setUnwritten(_ count: Int64, of mpinID: MPinID) {
        ledger.withLock { $0.unwritten[mpinID] = count == 0 ? nil : count }
    }

    /// What was written need not be remembered.
    private func forget(_ verdict: LoginVerdict, of mpinID: MPinID) {
        let now = clock.now
        ledger.withLock { ledger in
            ledger.unwritten[mpinID] = nil
            if verdict.isForgiving {
                ledger.begun.remove(mpinID, now: now)
            } else {
                ledger.begun.update(mpinID, now: now) { $0 = $0 + verdict.takenBack }
            }
        }
    }

    /// A pairing takes longer than anything else here, so it goes beside the thread that serves connections; but not
    /// when that one had nothing to do meanwhile: to wake another thread, and its cold caches, costs as much as a
    /// request.
    private func beside(_ look: @escaping @Sendable () -> Bool) async -> Bool {
        await withTaskExecutorPreference(openRequests.isOnlyOne ? nil : globalConcurrentExecutor) { await run(look) }
    }

    private func run(_ look: @Sendable () -> Bool) async -> Bool { look() }

    private func write<Value: Sendable>(
        survivesPowerCut: Bool, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            return try await database.write(survivesPowerCut: survivesPowerCut, body)
        } catch let error as DatabaseError {
            logger.error(
                "login not judged: the database cannot be written",
                metadata: ["reason": "\(BackendDatabase.reason(error))"])
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
