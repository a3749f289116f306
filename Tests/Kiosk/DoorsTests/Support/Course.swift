// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import Synchronization

/// A peer's behaviours, one per request. After the last one the peer is unreachable.
final class Course: Sendable {
    private let rest: Mutex<[FakeTransport.Behaviour]>

    init(_ course: [FakeTransport.Behaviour]) { rest = Mutex(course) }

    func next() -> FakeTransport.Behaviour {
        rest.withLock { $0.isEmpty ? .status(404) : $0.removeFirst() }
    }
}
