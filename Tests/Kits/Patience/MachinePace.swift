// SPDX-License-Identifier: Apache-2.0

// Waiting times of tests, adapted to the machine's present speed. No product uses this.

import Glibc
import Synchronization

/// The machine's present slowness.
public enum MachinePace {
    /// The time that a burst of work takes on an idle core of the reference machine.
    private static let usual = Duration.milliseconds(20)
    /// The rounds of work in that time, in a debug build.
    private static let rounds = 700_000
    /// The lifetime of a measurement.
    private static let interval = Duration.seconds(2)

    private struct State {
        var measured: ContinuousClock.Instant?
        var slowness = 1.0
    }

    private static let state = Mutex(State())

    /// The factor by which work takes longer than usual: 1 on an idle machine, 3 with six threads on two cores. It is
    /// measured by working, again when the last measurement is old. A peak fades within some measurements.
    public static var slowness: Double {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let measured = state.measured, now - measured < interval { return false }
            state.measured = now
            return true
        }
        guard isDue else { return state.withLock(\.slowness) }
        let burst = measure()
        return state.withLock { state in
            state.slowness = max(1, burst / usual, state.slowness * 0.7)
            return state.slowness
        }
    }

    private static func measure() -> Duration {
        let start = ContinuousClock.now
        var state: UInt64 = 88_172_645_463_325_252
        for _ in 0..<rounds {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
        }
        // Uses the result, so that the compiler keeps the work.
        if state == 0 { print("") }
        return ContinuousClock.now - start
    }
}
