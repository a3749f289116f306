// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The processor time of this thread, without that of other programs.
enum ProcessorClock {
    /// Nanoseconds since a fixed instant.
    static func now() -> Int64 {
        var time = timespec()
        // SAFETY: the call fills in the structure that it is given. It cannot fail for this clock.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Milliseconds since a fixed instant.
    static func milliseconds() -> Double { Double(now()) / 1e6 }
}

/// Real time, including network and other processes.
enum WallClock {
    /// Nanoseconds since a fixed instant.
    static func now() -> Double { Double((ContinuousClock.now - start) / .nanoseconds(1)) }

    private static let start = ContinuousClock.now
}
