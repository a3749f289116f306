// SPDX-License-Identifier: Apache-2.0

import CInput
import Glibc
import KioskPorts
import LinuxSystem

// An optimised build with Swift's libraries in it takes `timespec` for this module's, which includes it first.

/// The system's clock that nobody can set.
struct MonotonicThreadClock: ThreadClock {
    func now() -> Duration { MonotonicTime.now }

    func pause(for duration: Duration) {
        let (seconds, fraction) = duration.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(fraction / 1_000_000_000))
        // Safe: the call reads our own structure. Signals go to other threads, so that it sleeps to the end.
        unsafe nanosleep(&time, nil)
    }
}
