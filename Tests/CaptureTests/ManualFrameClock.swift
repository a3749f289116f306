// SPDX-License-Identifier: Apache-2.0

import Capture
import Synchronization

/// A clock that only waiting moves.
final class ManualFrameClock: FrameClock {
    private let time = Mutex(Duration.seconds(1000))

    var now: Duration { time.withLock { $0 } }

    func wait(_ duration: Duration) {
        time.withLock { $0 += duration }
    }
}
