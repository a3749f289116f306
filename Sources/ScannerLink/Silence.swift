// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How long nothing was heard.
final class Silence: Sendable {
    private let time: LinkTime
    private let since: Mutex<Duration>

    init(_ time: LinkTime) {
        self.time = time
        since = Mutex(time.elapsed())
    }

    var duration: Duration { since.withLock { time.elapsed() - $0 } }

    func end() { since.withLock { $0 = time.elapsed() } }
}
