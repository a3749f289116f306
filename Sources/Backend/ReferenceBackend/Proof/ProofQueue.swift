// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import NIOCore
import Synchronization

/// Where proofs of logins wait to be looked at, in groups: one costs little more than one proof, so the more there is to
/// do, the less each login costs.
///
/// A proof waits while others are looked at, and for a moment where other logins have begun whose proofs must be about to
/// come. No more can wait than the listener has connections, of each identity one.
final class ProofQueue: Sendable {
    /// How long a proof waits for others.
    static let patience = Duration.milliseconds(4)

    private enum Turn {
        /// Looks at the next group, whose first proof is its own.
        case lead
        case told(Bool)
    }

    private struct Waiting {
        let proof: TwoPassProof
        let end: ContinuousClock.Instant
        let task: CheckedContinuation<Turn, Never>
    }

    private enum Next {
        case nothing
        case lead(Waiting)
        /// Nothing is to be done before then.
        case wait(Duration)
    }

    private struct State {
        var waiting: [Waiting] = []
        var isLed = false
        var isTimed = false
        var bound = GroupBound()
        var coming = ComingProofs()

        mutating func next(_ now: ContinuousClock.Instant) -> Next {
            guard !isLed, let first = waiting.first else { return .nothing }
            let isComplete = waiting.count >= min(bound.count, waiting.count + coming.count(now))
            guard isComplete || first.end <= now else {
                if isTimed { return .nothing }
                isTimed = true
                return .wait(first.end - now)
            }
            isLed = true
            return .lead(waiting.removeFirst())
        }
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let after: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - now: a clock that no administrator can set.
    ///   - after: calls what it is given when the duration has passed.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        after: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.after = after
    }

    convenience init(on loop: any EventLoop) {
        self.init(now: { .now }, after: { duration, body in loop.scheduleTask(in: TimeAmount(duration), body) })
    }

    /// A login has begun: its proof may come within moments.
    func expect(_ mpinID: MPinID) {
        let now = now()
        state.withLock { $0.coming.add(mpinID, now) }
    }

    /// Whether the proof holds.
    func holds(_ proof: TwoPassProof, for verifier: any ProofVerifier) async -> Bool {
        let turn = await withCheckedContinuation { task in
            let now = now()
            goOn { state in
                state.coming.remove(proof.identity.mpinID)
                state.waiting.append(Waiting(proof: proof, end: now + Self.patience, task: task))
            }
        }
        switch turn {
        case .told(let holds): return holds
        case .lead:
            let (others, isBusy) = takeOthers()
            return await beside(isBusy) { self.look(at: proof, others, verifier) }
        }
    }

    /// Runs what takes as long as a request and more: beside the thread that serves connections, but not when that one
    /// has nothing else to do. To wake another thread, and its cold caches, costs as much as a request.
    func beside(_ look: @Sendable () -> Bool) async -> Bool {
        let now = now()
        return await beside(state.withLock { $0.isLed || $0.coming.count(now) > 0 }, look)
    }

    private func beside(_ isBusy: Bool, _ look: @Sendable () -> Bool) async -> Bool {
        await withTaskExecutorPreference(isBusy ? globalConcurrentExecutor : nil) { await Self.run(look) }
    }

    private static func run(_ look: @Sendable () -> Bool) async -> Bool { look() }

    private func takeOthers() -> (others: [Waiting], isBusy: Bool) {
        let now = now()
        return state.withLock { state in
            let others = Array(state.waiting.prefix(state.bound.count - 1))
            state.waiting.removeFirst(others.count)
            return (others, !others.isEmpty || state.coming.count(now) > 0)
        }
    }

    private func look(at own: TwoPassProof, _ others: [Waiting], _ verifier: any ProofVerifier) -> Bool {
        let holdTogether = !others.isEmpty && verifier.accepts(all: [own] + others.map(\.proof))
        for other in others {
            other.task.resume(returning: .told(holdTogether || verifier.verify(other.proof) == .accepted))
        }
        let holds = holdTogether || verifier.verify(own) == .accepted
        goOn { state in
            state.isLed = false
            state.bound.note(others.isEmpty ? holds : holdTogether)
        }
        return holds
    }

    /// - Parameter change: after which there may be something to do.
    private func goOn(_ change: (inout State) -> Void) {
        let now = now()
        let next = state.withLock { state in
            change(&state)
            return state.next(now)
        }
        switch next {
        case .nothing: break
        case .lead(let leader): leader.task.resume(returning: .lead)
        case .wait(let duration): after(duration) { [weak self] in self?.goOn { $0.isTimed = false } }
        }
    }

    /// How many wait to be looked at.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
}

/// Logins that have begun, of which the rest must be about to come: a device asks its person before pass 1, and nothing
/// after it.
struct ComingProofs {
    /// A login that takes longer is not worth waiting for.
    static let lifetime = Duration.milliseconds(100)
    /// More make no difference.
    static let capacity = 2 * GroupBound.maximum

    private var logins: [(mpinID: MPinID, end: ContinuousClock.Instant)] = []

    mutating func add(_ mpinID: MPinID, _ now: ContinuousClock.Instant) {
        guard count(now) < Self.capacity else { return }
        logins.append((mpinID, now + Self.lifetime))
    }

    mutating func remove(_ mpinID: MPinID) {
        guard let place = logins.firstIndex(where: { $0.mpinID == mpinID }) else { return }
        logins.remove(at: place)
    }

    mutating func count(_ now: ContinuousClock.Instant) -> Int {
        logins.removeFirst(logins.prefix { $0.end <= now }.count)
        return logins.count
    }
}

/// How many proofs are looked at together. One that is wrong makes all of its group be looked at once more, each alone;
/// so who sends many wrong ones finds small groups, in which a wrong proof costs what it always did.
struct GroupBound {
    static let maximum = 16

    private(set) var count = maximum

    /// - Parameter allHeld: whether all proofs of a group held.
    mutating func note(_ allHeld: Bool) {
        count = allHeld ? min(count + 1, Self.maximum) : max(count / 2, 1)
    }
}
