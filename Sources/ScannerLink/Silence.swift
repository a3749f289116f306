// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Waiting

/// How long nothing was heard.
final class Silence: Sendable {
    private let time: Timekeeper
    private let since: Mutex<Duration>

    init(_ time: Timekeeper) {
        self.time = time
        since = Mutex(time.elapsed())
    }

    var duration: Duration { since.withLock { time.elapsed() - $0 } }

    func end() { since.withLock { $0 = time.elapsed() } }
}
