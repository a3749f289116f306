// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Patience
import Synchronization

/// A clock that only a test moves.
package final class ManualWallClock: WallClock {
    private struct Sleeper {
        let deadline: WallTime
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: WallTime
        var nextNumber: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
    }

    private let state: Mutex<State>

    /// Starts at noon of 2026-11-21 by default.
    package init(_ now: String = "2026-11-21T12:00:00Z") {
        state = Mutex(State(now: WallTime(zonedText: now) ?? WallTime(seconds: 0)))
    }

    package var now: WallTime { state.withLock { $0.now } }

    package func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return Array(due.values)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Longer than any delay after a wrong PIN.
    package func letDelaysPass() { advance(by: .seconds(5)) }

    /// Waits until somebody sleeps on this clock.
    package func waitForSleeper() async throws {
        try await Patience.until { state.withLock { !$0.sleepers.isEmpty } }
    }

    package func sleep(until deadline: WallTime) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Step { case wait, go, stop }
                let step = state.withLock { state -> Step in
                    if Task.isCancelled { return .stop }
                    if deadline <= state.now { return .go }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return .wait
                }
                switch step {
                case .wait: break
                case .go: continuation.resume()
                case .stop: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
