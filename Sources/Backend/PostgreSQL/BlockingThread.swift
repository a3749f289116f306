// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Threads for calls of libpq that wait: to look up a name and to connect takes seconds where a network is slow, and
/// none of Swift's own threads may stand still for so long.
enum BlockingThread {
    /// Runs `body` on a thread of its own that ends with it.
    /// - Returns: whether there is one; without, `body` is not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        do throws(SystemRefusal) { try SystemThread.detach(body) } catch { return false }
        return true
    }
}
