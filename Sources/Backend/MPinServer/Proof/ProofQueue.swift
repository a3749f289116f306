// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// Proofs of logins that wait until their verifier is free. Proofs that arrived while it was busy are verified
/// together, because a group costs little more than one proof. If a group fails, its proofs are verified one by one.
///
/// Each waiting proof has a connection of the listener, and each identity has one proof at most.
final class ProofQueue: Sendable {
    /// The largest number of proofs in a group. 16 proofs together take a sixth of their time one by one
    /// (`login-kiosk-dev bench`). A larger group would save little more, and one wrong proof undoes it.
    static let largestGroup = 16

    private enum Turn {
        /// Verifies the next group, whose first proof is its own.
        case lead
        case result(Bool)
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

    let verifier: any ProofVerifier
    private let state = Mutex(State())

    init(verifier: any ProofVerifier) { self.verifier = verifier }

    /// Number of waiting proofs.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether the proof is right.
    func isRight(_ proof: TwoPassProof) async -> Bool {
        let turn = await withCheckedContinuation { caller in
            let leader = state.withLock { state in
                state.waiting.append(Waiting(proof: proof, caller: caller))
                return state.nextLeader()
            }
            leader?.caller.resume(returning: .lead)
        }
        if case .result(let isRight) = turn { return isRight }
        return await Self.onWorker { self.verifyGroup(of: proof) }
    }

    /// Runs long work outside of the threads that serve connections.
    static func onWorker(_ work: @Sendable () -> Bool) async -> Bool {
        @concurrent func run(_ work: @Sendable () -> Bool) async -> Bool { work() }
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await run(work) }
    }

    private func verifyGroup(of own: TwoPassProof) -> Bool {
        let others = state.withLock { state in
            let others = Array(state.waiting.prefix(Self.largestGroup - 1))
            state.waiting.removeFirst(others.count)
            return others
        }
        let allAreRight = !others.isEmpty && verifier.accepts(all: [own] + others.map(\.proof))
        for other in others {
            other.caller.resume(returning: .result(allAreRight || verifier.verify(other.proof) == .accepted))
        }
        let isRight = allAreRight || verifier.verify(own) == .accepted
        let leader = state.withLock { state in
            state.isBusy = false
            return state.nextLeader()
        }
        leader?.caller.resume(returning: .lead)
        return isRight
    }
}
