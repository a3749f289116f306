// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The processor time that this thread has used: what other programs do meanwhile does not count.
enum ProcessorClock {
    /// Milliseconds since some instant.
    static func now() -> Double {
        var time = timespec()
        // Safe: the call fills in the structure that it is given. It cannot fail for this clock.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
