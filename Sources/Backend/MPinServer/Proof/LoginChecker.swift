// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Logging
import MPinCrypto
import ServiceLifecycle
import Synchronization

/// An identity whose PIN was right.
struct ProvedIdentity: Sendable {
    let identity: RegisteredIdentity
    /// The wrong PINs since the previous login; nil for none.
    let wrongPINs: WrongPINs?
}

/// The counter behind 401, 401, 410, which every dialect shares. docs/protocol/milagro.md, section 11.1.
///
/// A proof is verified here and nowhere else. The attempt is counted before, in memory, and the verdict is written
/// before the device gets it. So an attacker gets no verdict without a count: neither by keeping an authOTT back nor by
/// filling the disk.
///
/// The counter belongs to the identity, so a stranger who knows an mpin_id could block its owner. That is slow: logins
/// of an identity are checked one at a time (meanwhile others get 429 and are not counted), and after the first and
/// second failure in a row the next verdict waits until two and four seconds have passed. A person who types again does
/// not notice. No transaction is open meanwhile.
package final class LoginChecker: Sendable {
    private static let pauses: [Duration] = [.zero, .seconds(2), .seconds(4)]

    /// State of this process alone.
    private struct State {
        /// The identities that are checked right now, also when that takes longer than a lease lasts.
        var checking: Set<MPinID> = []
        /// Wrong PINs that are not stored yet, including the attempt that is being verified.
        var unwritten: [MPinID: Int64] = [:]
    }

    private let storage: any DurableStorage
    private let state = Mutex(State())
    private let verifier: PendingVerifier
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

    /// Stores the personal card that a login was made with. Errors are logged, and the login stays valid.
    func store(_ card: StoredCard, of identity: RegisteredIdentity) async {
        var noted = identity
        noted.keep(card)
        guard card.isPossible(at: clock.now), noted != identity else { return }
        do throws(StorageError) { try await storage.change(identity.mpinID) { $0.keep(card) } } catch {
            logger.error("the times of a personal card were not stored", metadata: ["storage": "\(error.reason)"])
        }
    }

    /// Pass 1: begins a login, and counts it until it has a verdict.
    /// - Parameter check: throws if the order does not admit the identity; nil is an unknown one.
    /// - Returns: the identity.
    /// - Throws: what `check` throws; `Refusal` 429 when too many logins were begun without a verdict, 503 when they
    ///   cannot be written or the server secret is not known yet.
    func begin(
        _ order: LoginOrder, check: (RegisteredIdentity?) throws -> Void
    ) async throws -> RegisteredIdentity {
        let now = clock.now
        try requireSecret()
        let begun = try await change(order.mpinID, isOnDisk: false) { ($0, $0.begin(order, now: now)) }
        try check(begun?.0)
        switch begun {
        case (let identity, .begun)?: return identity
        case (_, .tooMany(let wait))?:
            logger.warning(
                "too many logins begun without an end", metadata: ["identity": "\(order.mpinID.fingerprint)"])
            throw Refusal.tooManyBeginnings(until: now + wait, now)
        default: throw Refusal.uncounted
        }
    }

    /// Reports a login that is not checked, because its browser is at another place.
    func reportElsewhere(_ mpinID: MPinID) async throws(StorageError) {
        observer?.checked(CheckedProof(.login, .elsewhere, of: try await storage.identity(mpinID), browser: .other))
    }

    /// - Throws: `Refusal` 503 as long as the server secret is not known.
    func requireSecret() throws(Refusal) { _ = try verifier.queue() }

    /// Checks a login whose authOTT was taken.
    /// - Parameters:
    ///   - proofs: one for each day whose permits are valid. One of them has to be right.
    ///   - browser: the location of the browser that is logged in; nil for none.
    /// - Throws: `Refusal` 401 for a wrong PIN, 410 when the identity is blocked now or was before, 429 when another
    ///   login of it is being checked, 503 when nothing can be written. Then there is no verdict.
    func check(
        _ proofs: [TwoPassProof], of mpinID: MPinID, browser: BrowserLocation?
    ) async throws -> ProvedIdentity {
        try await decide(.login, of: mpinID, browser: browser) { queue in
            if proofs.count == 1 { return await queue.isRight(proofs[0]) }
            // Verifies also after the right one, so that the work is the same for every PIN.
            return await ProofQueue.onWorker {
                proofs.reduce(false) { isRight, proof in queue.verifier.verify(proof) == .accepted || isRight }
            }
        }
    }

    /// Checks a signature. A wrong one is counted as a wrong PIN, because a thief of the device could try all PINs with
    /// it. A right one forgives nothing: an old one may be shown again at any time.
    /// - Throws: as for a login.
    func check(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> ProvedIdentity {
        try await decide(.signature, of: identity.mpinID, browser: nil) { queue in
            await ProofQueue.onWorker {
                queue.verifier.verify(
                    signature: submitted.signature, documentHash: submitted.documentHash, identity: identity)
                    == .accepted
            }
        }
    }

    /// Checks one proof of an identity at a time, in all processes.
    private func decide(
        _ kind: CheckedProof.Kind, of mpinID: MPinID, browser: BrowserLocation?, _ verify: (ProofQueue) async -> Bool
    ) async throws -> ProvedIdentity {
        let queue = try verifier.queue()
        guard state.withLock({ $0.checking.insert(mpinID).inserted }) else { throw Refusal.tooManyLogins }
        defer { state.withLock { _ = $0.checking.remove(mpinID) } }
        let (before, lease) = try await takeLease(of: mpinID, for: kind, browser: browser)
        let (verdict, after): (LoginVerdict, RegisteredIdentity?)
        do {
            verdict = try await countAndVerify(kind, of: before) { await verify(queue) }
            after = try await write(verdict, of: mpinID, lease)
        } catch {
            // If this fails as well, the lease ends by itself.
            _ = try? await storage.change(mpinID, isOnDisk: false) { $0.release(lease) }
            throw error
        }
        setUnwritten(0, of: mpinID)
        observer?.checked(CheckedProof(kind, .init(verdict, after), of: after, browser: browser))
        logger.info(
            "login checked",
            metadata: [
                "identity": "\(mpinID.fingerprint)", "right": "\(verdict.isRight)",
                "failures": "\(after?.failures ?? RegisteredIdentity.maximumFailures)",
            ])
        if let after, let count = verdict.warning(of: after) { await warning?.send(to: after.userID, count, logger) }
        guard let after, !after.isBlocked else { throw Refusal(410, Self.wrongPIN) }
        guard verdict.isRight else { throw Refusal(401, Self.wrongPIN) }
        return ProvedIdentity(identity: after, wrongPINs: after.recentFailures.since(before.lastLogin))
    }

    private static let wrongPIN = "Wrong PIN."

    /// - Returns: the identity, and the lease under which its proof is checked.
    /// - Throws: `Refusal` 429 when another process checks one of its logins, 410 when it is blocked or unknown.
    private func takeLease(
        of mpinID: MPinID, for kind: CheckedProof.Kind, browser: BrowserLocation?
    ) async throws -> (RegisteredIdentity, LoginLease) {
        let now = clock.now
        let lease = LoginLease(now)
        let leased = try await change(mpinID, isOnDisk: false) { ($0, $0.isBlocked || $0.take(lease, now: now)) }
        guard leased?.1 != false else { throw Refusal.tooManyLogins }
        guard let identity = leased?.0, !identity.isBlocked else {
            observer?.checked(CheckedProof(kind, leased == nil ? .unknown : .blocked, of: leased?.0, browser: browser))
            throw Refusal(410, Self.wrongPIN)
        }
        return (identity, lease)
    }

    /// Counts an attempt in memory, and verifies it.
    private func countAndVerify(
        _ kind: CheckedProof.Kind, of before: RegisteredIdentity, _ verify: () async -> Bool
    ) async throws -> LoginVerdict {
        let mpinID = before.mpinID
        var wrong = state.withLock { $0.unwritten[mpinID] ?? 0 }
        var isRight = false
        // If too many are not written yet, they are written first.
        if before.failures + wrong < RegisteredIdentity.maximumFailures {
            // A right signature never waits: any relying party may show it again at any time.
            if kind == .login { try await pause(after: before) }
            // Counted before it is verified. So no failure from here on loses a wrong PIN.
            setUnwritten(wrong + 1, of: mpinID)
            isRight = await verify()
            if isRight { setUnwritten(wrong, of: mpinID) } else { wrong += 1 }
            if !isRight, kind == .signature { try await pause(after: before) }
        }
        return LoginVerdict(isRight: isRight, forgives: kind == .login, wrong: wrong, time: clock.now)
            .withThirtyDayRule(for: before)
    }

    /// Writes a verdict. A wrong one is on the disk when this returns. A power cut may undo a right one, and then older
    /// failures stand.
    /// - Returns: the identity after it; nil when it is gone, or was blocked meanwhile.
    private func write(
        _ verdict: LoginVerdict, of mpinID: MPinID, _ lease: LoginLease
    ) async throws -> RegisteredIdentity? {
        switch try await change(mpinID, isOnDisk: !verdict.isRight, { $0.count(verdict, lease: lease) }) {
        case .counted(let identity)?: return identity
        case .blocked?, nil: return nil
        case .tooLate?:
            logger.error("login not checked: another login of the identity is being checked")
            throw Refusal.uncounted
        }
    }

    private func setUnwritten(_ count: Int64, of mpinID: MPinID) {
        state.withLock { $0.unwritten[mpinID] = count == 0 ? nil : count }
    }

    /// - Throws: `Refusal` 503 when the identity cannot be written.
    private func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws -> Value? {
        do throws(StorageError) {
            return try await storage.change(mpinID, isOnDisk: isOnDisk, body)
        } catch {
            // A request that is cancelled writes nothing: its device has gone, or the backend stops.
            if !Task.isCancelled {
                logger.error(
                    "login not checked: the database cannot be written", metadata: ["reason": "\(error.reason)"])
            }
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
