// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's clock that nobody can set (`CLOCK_MONOTONIC`).
public enum MonotonicTime {
    /// The time since the machine started, without sleep.
    public static var now: Duration {
        var time = timespec()
        // Safe: the call fills our own structure. It cannot fail for this clock.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
