// SPDX-License-Identifier: Apache-2.0

// How long tests wait: as long as this machine needs at the moment. No product knows it.

import Glibc
import Synchronization

/// How slow the machine is at the moment.
public enum MachinePace {
    /// What a burst of work takes on an idle core of the machine for which limits are chosen.
    private static let usual = Duration.milliseconds(20)
    /// Rounds of work that take that long there, in a build for debugging.
    private static let rounds = 700_000
    /// A measurement counts for this long.
    private static let interval = Duration.seconds(2)

    private struct State {
        var measured: ContinuousClock.Instant?
        var slowness = 1.0
    }

    private static let state = Mutex(State())

    /// How many times longer work takes than usually: 1 on an idle machine, 3 where six threads share two cores. It is
    /// measured by working, and again when the last measurement is old; a peak fades within some measurements.
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
        // Used, so that no compiler leaves the work out.
        if state == 0 { print("") }
        return ContinuousClock.now - start
    }
}
