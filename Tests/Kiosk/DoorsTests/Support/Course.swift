// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import Synchronization

/// What a peer does, one request after the other; then it is not there.
final class Course: Sendable {
    private let rest: Mutex<[FakeTransport.Behaviour]>

    init(_ course: [FakeTransport.Behaviour]) { rest = Mutex(course) }

    func next() -> FakeTransport.Behaviour {
        rest.withLock { $0.isEmpty ? .status(404) : $0.removeFirst() }
    }
}
