// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// Admits two tasks for each of the machine's cores. Others wait in order. For work that computes about as long as it
/// waits, because more of it at once takes longer.
public final class CoreGate: Sendable {
    public static let shared = CoreGate(places: 2 * max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    public init(places: Int) { state = Mutex(State(free: places)) }

    /// Does the work after admission.
    public func pass(_ work: () async throws -> Void) async rethrows {
        await enter()
        defer { leave() }
        try await work()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isIn { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
