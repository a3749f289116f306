// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The processor time that this thread has used: what other programs do meanwhile does not count.
enum ProcessorClock {
    /// Nanoseconds since some instant.
    static func now() -> Int64 {
        var time = timespec()
        // SAFETY: the call fills in the structure that it is given. It cannot fail for this clock.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The same in milliseconds.
    static func milliseconds() -> Double { Double(now()) / 1e6 }
}

/// Time as it passes for the person who waits: network and other processes included.
enum WallClock {
    /// Nanoseconds since some instant.
    static func now() -> Double { Double((ContinuousClock.now - start) / .nanoseconds(1)) }

    private static let start = ContinuousClock.now
}
