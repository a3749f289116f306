// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// The clock that paces pictures and stamps frames; tests bring their own.
public protocol FrameClock: Sendable {
    /// The time since the machine started, as in `Frame.captured`.
    var now: Duration { get }
    /// Blocks the calling thread.
    func wait(_ duration: Duration)
}

/// `CLOCK_MONOTONIC`.
public struct MonotonicFrameClock: FrameClock {
    public init() {}

    public var now: Duration { MonotonicTime.now }

    public func wait(_ duration: Duration) {
        let end = now + duration
        while true {
            let rest = end - now
            guard rest > .zero else { return }
            let (seconds, attoseconds) = rest.components
            var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            // Safe: reads the structure during the call. A signal ends it early; the loop waits for what is left.
            unsafe nanosleep(&time, nil)
        }
    }
}
