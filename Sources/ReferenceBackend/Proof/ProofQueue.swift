// SPDX-License-Identifier: Apache-2.0

import MPinCrypto
import Synchronization

/// Where proofs of logins wait to be looked at, beside the thread that serves connections: one group after the other,
/// and what comes while one is looked at is the next. A group costs little more than one proof, so the more there is to
/// do, the less each login costs. docs/decisions/0091-proofs-in-groups.md
///
/// No more can wait than the listener has connections, of each identity one.
final class ProofQueue: Sendable {
    private enum Turn {
        /// Looks at the next group, whose first proof is its own.
        case lead
        case told(Bool)
    }

    private struct Waiting {
        let proof: TwoPassProof
        let task: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var isLed = false
        var waiting: [Waiting] = []
        var bound = GroupBound()
    }

    private let state = Mutex(State())

    /// How many wait while others are looked at.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether the proof holds.
    func holds(_ proof: TwoPassProof, for verifier: any ProofVerifier) async -> Bool {
        let turn = await withCheckedContinuation { task in
            let leads = state.withLock { state in
                guard state.isLed else {
                    state.isLed = true
                    return true
                }
                state.waiting.append(Waiting(proof: proof, task: task))
                return false
            }
            if leads { task.resume(returning: .lead) }
        }
        switch turn {
        case .told(let holds): return holds
        case .lead:
            return await withTaskExecutorPreference(globalConcurrentExecutor) { await lead(with: proof, verifier) }
        }
    }

    private func lead(with own: TwoPassProof, _ verifier: any ProofVerifier) async -> Bool {
        let others = state.withLock { state in
            let others = Array(state.waiting.prefix(state.bound.count - 1))
            state.waiting.removeFirst(others.count)
            return others
        }
        let proofs = [own] + others.map(\.proof)
        let holdTogether = proofs.count > 1 && verifier.accepts(all: proofs)
        for other in others {
            other.task.resume(returning: .told(holdTogether || verifier.verify(other.proof) == .accepted))
        }
        let holds = holdTogether || verifier.verify(own) == .accepted
        let next = state.withLock { state -> Waiting? in
            state.bound.note(proofs.count > 1 ? holdTogether : holds)
            guard !state.waiting.isEmpty else {
                state.isLed = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.task.resume(returning: .lead)
        return holds
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
