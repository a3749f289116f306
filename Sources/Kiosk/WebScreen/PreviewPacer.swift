// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits the pictures of a scanner to the rate that aiming needs.
final class PreviewPacer: Sendable {
    static let interval = Duration.milliseconds(140)

    private let elapsed: @Sendable () -> Duration
    private let due = Mutex(Duration.zero)

    init<C: Clock<Duration>>(clock: C) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    func admits() -> Bool {
        let now = elapsed()
        return due.withLock { due in
            guard now >= due else { return false }
            due = now + PreviewPacer.interval
            return true
        }
    }
}
