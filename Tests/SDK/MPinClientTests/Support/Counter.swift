// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A number of events that are still to happen.
final class Counter: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// - Returns: whether one was left.
    func takeOne() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}
