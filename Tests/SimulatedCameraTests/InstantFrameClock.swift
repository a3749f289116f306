// SPDX-License-Identifier: Apache-2.0

import Capture
import Synchronization

/// A clock on which a wait is over at once: the time passes all the same.
final class InstantFrameClock: FrameClock {
    private let time = Mutex(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func wait(_ duration: Duration) { time.withLock { $0 += duration } }
}
