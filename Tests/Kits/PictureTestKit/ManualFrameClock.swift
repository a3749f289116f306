// SPDX-License-Identifier: Apache-2.0

public import Capture
import Synchronization

/// A clock that only waiting advances: each wait ends at once, and its time has passed.
public final class ManualFrameClock: FrameClock {
    private let time = Mutex(Duration.seconds(1000))

    public init() {}

    public var now: Duration { time.withLock { $0 } }

    public func wait(_ duration: Duration) { time.withLock { $0 += duration } }
}
