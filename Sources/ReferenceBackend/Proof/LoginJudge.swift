// SPDX-License-Identifier: Apache-2.0

import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// Another login of the identity is being judged; this one was not looked at.
struct LoginIsBusy: Error {}

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
    /// As many logins of one identity may be begun without a verdict, and one more each time that one is forgotten.
    private static let beginnings = 20
    private static let forgetting = Duration.seconds(30)
    /// Fewer than this are not worth a write; a restart forgives them.
    private static let written = 4

    /// Longer than judging takes: a process that dies meanwhile keeps an identity from being judged no longer.
    private static let longestJudging = Duration.seconds(60)

    /// What this process alone knows.
    private struct Own {
        /// Identities of which it is judging a login right now.
        var judging: Set<MPinID> = []
        /// Wrong logins that the storage could not take yet; among them the one that is being looked at.
        var unwritten: [MPinID: Int64] = [:]
    }

    private let ledger: any LoginLedger
    let abandonedClaims: AbandonedClaims
    private let own = Mutex(Own())
    private let verifier: LateVerifier
    /// Those of the public listener.
    private let openRequests: OpenRequests
    private let clock: any WallClock
    private let watch: (any BackendWatch)?
    private let logger: Logger

    init(
        storage: BackendStorage, verifier: LateVerifier, openRequests: OpenRequests, clock: any WallClock,
        watch: (any BackendWatch)? = nil, logger: Logger
    ) {
        self.watch = watch
        ledger = storage.ledger
        abandonedClaims = AbandonedClaims(ledger: storage.ledger, clock: clock)
        self.verifier = verifier
        self.openRequests = openRequests
        self.clock = clock
        self.logger = logger
    }

    /// Pass 1: lets a login begin, and counts it until there is a verdict.
    /// - Throws: `Refusal` 429 when too many were begun without one, 503 when they cannot be written or the server
    ///   secret is not known yet; `StorageError`.
    func begin(_ identity: RegisteredIdentity) async throws {
        _ = try verifier.current()
        let now = clock.now
        let beginning = try await counted { try await $0.begin(identity, now: now) { Self.beginning(after: $0, now) } }
        guard let wait = beginning.wait else { return }
        logger.warning(
            "too many logins begun without an end", metadata: ["identity": "\(identity.mpinID.fingerprint)"])
        throw Refusal.tooManyBeginnings(wait: wait)
    }

    /// - Parameter known: when those that were begun before are forgotten.
    private static func beginning(after known: WallTime?, _ now: WallTime) -> Beginning {
        let latest = now + forgetting * beginnings
        // A clock that was set back must not turn minutes into hours.
        let before = min(max(known ?? now, now), latest)
        let after = before + forgetting
        let forgotten = after <= latest ? after : before
        return Beginning(
            forgotten: forgotten, isKept: forgotten > now + forgetting * (written - 1),
            wait: after <= latest ? nil : after - latest)
    }

    /// Judges a login whose authOTT was taken.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 503 when the
    ///   verdict cannot be written: there is none then. ``LoginIsBusy``. `StorageError` when nothing can be read.
    func judge(_ proof: LoginProof) async throws -> RegisteredIdentity {
        let verifier = try verifier.current()
        return try await judge(proof.identity.mpinID, forgives: true) { proof.holds(for: verifier) }
    }

    /// Judges a signature. A wrong one counts as a wrong PIN, because a thief of the device could try all PINs with
    /// it. A right one forgives nothing: an old one may be shown again at any time.
    /// - Throws: as for a login.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> RegisteredIdentity {
        let verifier = try verifier.current()
        return try await judge(identity.mpinID, forgives: false) {
            verifier.verify(
                signature: submitted.signature, documentHash: submitted.documentHash, identity: identity) == .accepted
        }
    }

    /// One at a time, in this process and in all of them.
    private func judge(
        _ mpinID: MPinID, forgives: Bool, _ look: @escaping @Sendable () -> Bool
    ) async throws -> RegisteredIdentity {
        guard own.withLock({ $0.judging.insert(mpinID).inserted }) else { throw LoginIsBusy() }
        defer { own.withLock { _ = $0.judging.remove(mpinID) } }
        let (now, claim) = (clock.now, UInt64.random(in: .min ... .max))
        let end = now + Self.longestJudging
        let (verdict, after): (LoginVerdict, RegisteredIdentity?)
        do {
            guard case .free(let before) = try await ledger.claim(mpinID, as: claim, until: end, now: now) else {
                throw LoginIsBusy()
            }
            guard let before, !before.isBlocked else {
                watch?.judged(
                    JudgedProof(forgives ? .login : .signature, before == nil ? .unknown : .blocked, of: before))
                throw Refusal(410, Self.wrongPIN)
            }
            verdict = try await self.verdict(on: before, forgives: forgives, look)
            let time = verdict.time
            // Without a write there is no verdict at all.
            after = try await counted { try await $0.settle(verdict, of: mpinID, claim: claim, now: time) }
        } catch let error as LoginIsBusy {
            throw error
        } catch {
            do { try await ledger.release(mpinID, claim: claim, now: clock.now) } catch {
                abandonedClaims.add(mpinID, claim: claim, end: end)
            }
            throw error
        }
        setUnwritten(0, of: mpinID)
        watch?.judged(JudgedProof(forgives ? .login : .signature, .init(verdict, after), of: after))
        return try tell(verdict, after, of: mpinID)
    }

    private func verdict(
        on before: RegisteredIdentity, forgives: Bool, _ look: @escaping @Sendable () -> Bool
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
            isRight = await beside(look)
            if isRight { setUnwritten(wrong, of: mpinID) } else { wrong += 1 }
            if !isRight, !forgives { try await pause(after: before) }
        }
        return LoginVerdict(
            isRight: isRight, forgives: forgives, wrong: wrong, time: clock.now, takenBack: .zero - Self.forgetting)
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

    /// A pairing takes longer than anything else here, so it goes beside the thread that serves connections; but not
    /// when that one had nothing to do meanwhile: to wake another thread, and its cold caches, costs as much as a
    /// request.
    private func beside(_ look: @escaping @Sendable () -> Bool) async -> Bool {
        await withTaskExecutorPreference(openRequests.isOnlyOne ? nil : globalConcurrentExecutor) { await run(look) }
    }

    private func run(_ look: @Sendable () -> Bool) async -> Bool { look() }

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
