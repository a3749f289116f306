// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many requests of a listener are being answered right now.
final class OpenRequests: Sendable {
    private let count = Atomic(0)

    func open() { count.add(1, ordering: .relaxed) }

    func close() { count.subtract(1, ordering: .relaxed) }

    /// Whether nobody else waits for an answer, seen from a request that is being answered.
    var isOnlyOne: Bool { count.load(ordering: .relaxed) <= 1 }
}
