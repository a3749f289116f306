// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// Proofs of logins that wait for the worker that verifies them. Proofs that arrived while it was busy are verified
/// together, because a group costs little more than one proof. If a group fails, its proofs are verified one by one.
///
/// Each waiting proof has a connection of the listener, and each identity has one proof at most.
final class ProofQueue: Sendable {
    static let largestGroup = 16

    private enum Turn {
        /// Verifies the next group, whose first proof is its own.
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

        /// The caller that verifies the next group.
        mutating func nextLeader() -> Waiting? {
            guard !isBusy, !waiting.isEmpty else { return nil }
            isBusy = true
            return waiting.removeFirst()
        }
    }

    private let state = Mutex(State())

    /// Number of waiting proofs.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether the proof is right.
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

    /// Runs long work outside of the threads that serve connections.
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
