// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How long nothing was heard.
final class Silence: Sendable {
    private let since = Mutex(ContinuousClock.now)

    var duration: Duration { since.withLock { $0.duration(to: .now) } }

    func end() { since.withLock { $0 = .now } }
}
