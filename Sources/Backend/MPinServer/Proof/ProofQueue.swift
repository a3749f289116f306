// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// Where proofs of logins wait for the worker that looks at them. What came while it was busy is looked at together: a
/// group costs little more than one proof. A group that does not hold is looked at one by one.
///
/// No more can wait than the listener has connections, of each identity one.
final class ProofQueue: Sendable {
    static let largestGroup = 16

    private enum Turn {
        /// Looks at the next group, whose first proof is its own.
        case lead
        case told(Bool)
    }

    private struct Waiting {
        let proof: TwoPassProof
        let caller: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isBusy = false

        /// The caller that is to look at the next group.
        mutating func nextLeader() -> Waiting? {
            guard !isBusy, !waiting.isEmpty else { return nil }
            isBusy = true
            return waiting.removeFirst()
        }
    }

    private let state = Mutex(State())

    /// How many wait to be looked at.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether the proof holds.
    func holds(_ proof: TwoPassProof, for verifier: any ProofVerifier) async -> Bool {
        let turn = await withCheckedContinuation { caller in
            let leader = state.withLock { state in
                state.waiting.append(Waiting(proof: proof, caller: caller))
                return state.nextLeader()
            }
            leader?.caller.resume(returning: .lead)
        }
        if case .told(let holds) = turn { return holds }
        return await Self.onWorker { self.look(at: proof, verifier) }
    }

    /// Runs what takes as long as a request and more beside the threads that serve connections.
    static func onWorker(_ look: @Sendable () -> Bool) async -> Bool {
        @concurrent func run(_ look: @Sendable () -> Bool) async -> Bool { look() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await run(look) }
    }

    private func look(at own: TwoPassProof, _ verifier: any ProofVerifier) -> Bool {
        let others = state.withLock { state in
            let others = Array(state.waiting.prefix(Self.largestGroup - 1))
            state.waiting.removeFirst(others.count)
            return others
        }
        let allHold = !others.isEmpty && verifier.accepts(all: [own] + others.map(\.proof))
        for other in others {
            other.caller.resume(returning: .told(allHold || verifier.verify(other.proof) == .accepted))
        }
        let holds = allHold || verifier.verify(own) == .accepted
        let leader = state.withLock { state in
            state.isBusy = false
            return state.nextLeader()
        }
        leader?.caller.resume(returning: .lead)
        return holds
    }
}
