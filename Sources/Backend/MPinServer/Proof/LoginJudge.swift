// SPDX-License-Identifier: Apache-2.0

package import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// An identity whose proof was right.
struct ProvedIdentity: Sendable {
    let identity: RegisteredIdentity
    /// Those since the right one before; nil when there was none.
    let wrongPINs: WrongPINs?
}

/// The counter behind 401, 401, 410, which every dialect shares. docs/protocol/milagro.md, section 11.1.
///
/// Whether a PIN was right is computed here alone, after the attempt was counted in memory, and told after the verdict
/// was written. So no verdict is had for nothing: not by keeping an authOTT back, not by filling the disk.
///
/// The counter is per identity, so a stranger who knows an mpin_id could block its owner. That is slowed down: logins
/// of one identity are judged one at a time (another one meanwhile: 429, not counted), and after the first and second
/// failure in a row the next verdict waits until two and four seconds have passed. A person who types again does not
/// notice. No transaction is open meanwhile.
package final class LoginJudge: Sendable {
    private static let pauses: [Duration] = [.zero, .seconds(2), .seconds(4)]

    /// The state that this process alone knows.
    private struct Own {
        /// Identities of which it is judging a login right now: also when that takes longer than a lease lasts.
        var judging: Set<MPinID> = []
        /// Wrong logins that the storage could not take yet; among them the one that is being looked at.
        var unwritten: [MPinID: Int64] = [:]
    }

    private let storage: any DurableStorage
    private let own = Mutex(Own())
    private let verifier: PendingVerifier
    private let proofs = ProofQueue()
    private let clock: any WallClock
    private let observer: (any BackendObserver)?
    private let warning: FailureWarning?
    private let logger: Logger

    package init(
        storage: any DurableStorage, verifier: PendingVerifier, clock: any WallClock,
        observer: (any BackendObserver)? = nil, warning: FailureWarning? = nil, logger: Logger
    ) {
        self.storage = storage
        self.verifier = verifier
        self.clock = clock
        self.observer = observer
        self.warning = warning
        self.logger = logger
    }

    /// Notes with which card a person has proved the PIN. What goes wrong with it spoils no login.
    func note(_ card: StoredCard, of identity: RegisteredIdentity) async {
        var noted = identity
        noted.keep(card)
        guard card.isPossible(at: clock.now), noted != identity else { return }
        do throws(StorageError) { try await storage.change(identity.mpinID) { $0.keep(card) } } catch {
            logger.error("the times of a personal card were not noted", metadata: ["storage": "\(error.reason)"])
        }
    }

    /// Pass 1: lets a login begin, and counts it until there is a verdict.
    /// - Parameter check: looks at the identity, and throws where the order does not admit it; nil for one that is not
    ///   known.
    /// - Returns: the identity.
    /// - Throws: what `check` throws; `Refusal` 429 when too many were begun without one, 503 when they cannot be
    ///   written or the server secret is not known yet.
    func begin(
        _ order: LoginOrder, check: (RegisteredIdentity?) throws -> Void
    ) async throws -> RegisteredIdentity {
        let now = clock.now
        _ = try verifier.current()
        let begun = try await counted(order.mpinID, isOnDisk: false) { ($0, $0.begin(order, now: now)) }
        try check(begun?.0)
        switch begun {
        case (let identity, .begun)?: return identity
        case (_, .tooMany(let wait))?:
            logger.warning(
                "too many logins begun without an end", metadata: ["identity": "\(order.mpinID.fingerprint)"])
            throw Refusal.tooManyBeginnings(wait: wait)
        default: throw Refusal.uncounted
        }
    }

    /// Tells the observer of a login that is not judged, because its browser is at another place.
    func refuse(_ mpinID: MPinID) async throws(StorageError) {
        observer?.judged(JudgedProof(.login, .elsewhere, of: try await storage.identity(mpinID), browser: .other))
    }

    /// Whether logins are judged at all.
    /// - Throws: `Refusal` 503 as long as the server secret is not known.
    func requireSecret() throws(Refusal) { _ = try verifier.current() }

    /// Judges a login whose authOTT was taken.
    /// - Parameter browser: where the browser is that is logged in; nil for none.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 429 when another
    ///   login of it is being judged, 503 when nothing can be written. There is no verdict then.
    func judge(_ proof: LoginProof, browser: BrowserLocation?) async throws -> ProvedIdentity {
        try await judge(proof.identity.mpinID, forgives: true, browser: browser) { await self.holds(proof, for: $0) }
    }

    /// Judges a signature. A wrong one counts as a wrong PIN, because a thief of the device could try all PINs with
    /// it. A right one forgives nothing: an old one may be shown again at any time.
    /// - Throws: as for a login.
    func judge(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> ProvedIdentity {
        try await judge(identity.mpinID, forgives: false, browser: nil) { verifier in
            await ProofQueue.onWorker {
                verifier.verify(
                    signature: submitted.signature, documentHash: submitted.documentHash, identity: identity)
                    == .accepted
            }
        }
    }

    /// One at a time, in this process and in all of them.
    private func judge(
        _ mpinID: MPinID, forgives: Bool, browser: BrowserLocation?, _ look: (any ProofVerifier) async -> Bool
    ) async throws -> ProvedIdentity {
        let verifier = try verifier.current()
        let kind = forgives ? JudgedProof.Kind.login : .signature
        guard own.withLock({ $0.judging.insert(mpinID).inserted }) else { throw Refusal.tooManyLogins }
        defer { own.withLock { _ = $0.judging.remove(mpinID) } }
        let now = clock.now
        let lease = JudgingLease(now)
        let taken = try await counted(mpinID, isOnDisk: false) { ($0, $0.isBlocked || $0.take(lease, now: now)) }
        guard taken?.1 != false else { throw Refusal.tooManyLogins }
        guard let before = taken?.0, !before.isBlocked else {
            observer?.judged(JudgedProof(kind, taken == nil ? .unknown : .blocked, of: taken?.0, browser: browser))
            throw Refusal(410, Self.wrongPIN)
        }
        let (verdict, after): (LoginVerdict, RegisteredIdentity?)
        do {
            verdict = try await self.verdict(on: before, forgives: forgives) { await look(verifier) }
            after = try await count(verdict, of: mpinID, lease)
        } catch {
            // It ends by itself where nothing can be written.
            _ = try? await storage.change(mpinID, isOnDisk: false) { $0.release(lease) }
            throw error
        }
        setUnwritten(0, of: mpinID)
        observer?.judged(JudgedProof(kind, .init(verdict, after), of: after, browser: browser))
        if let after, let count = verdict.warning(of: after) { await warning?.send(to: after.userID, count, logger) }
        return ProvedIdentity(
            identity: try tell(verdict, after, of: mpinID), wrongPINs: after?.recentFailures.since(before.lastLogin))
    }

    /// Writes a verdict: without that there is none at all. A wrong one is on the disk as well; a power cut may undo a
    /// right one, and then older failures stand.
    /// - Returns: the identity after it; nil when it is gone, or was blocked meanwhile.
    private func count(
        _ verdict: LoginVerdict, of mpinID: MPinID, _ lease: JudgingLease
    ) async throws -> RegisteredIdentity? {
        switch try await counted(mpinID, isOnDisk: !verdict.isRight, { $0.count(verdict, lease: lease) }) {
        case .counted(let identity)?: return identity
        case .blocked?, nil: return nil
        case .tooLate?:
            logger.error("login not judged: another one of the identity is judged now")
            throw Refusal.uncounted
        }
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
        return LoginVerdict(isRight: isRight, forgives: forgives, wrong: wrong, time: clock.now).judged(of: before)
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
        guard let proof = proof.ofOneDay else { return await ProofQueue.onWorker { proof.holds(for: verifier) } }
        return await proofs.holds(proof, for: verifier)
    }

    private func counted<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws -> Value? {
        do throws(StorageError) {
            return try await storage.change(mpinID, isOnDisk: isOnDisk, body)
        } catch {
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
