// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Synchronization

/// A door that a test scripts, and that remembers for whom it was opened.
final class FakeDoor: Door {
    private let state = Mutex<(people: [String], wait: Duration?, failure: DoorFailure?)>(([], nil, nil))

    var people: [String] { state.withLock { $0.people } }

    func tire(for wait: Duration?) { state.withLock { $0.wait = wait } }
    func fail(_ failure: DoorFailure?) { state.withLock { $0.failure = failure } }

    func wait(for userID: String?) async -> Duration? { state.withLock { $0.wait } }

    func open(for userID: String) async throws(DoorFailure) {
        let failure = state.withLock { state in
            state.people.append(userID)
            return state.failure
        }
        if let failure { throw failure }
    }
}
