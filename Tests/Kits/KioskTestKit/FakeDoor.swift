// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import Synchronization

/// A door that a test scripts, and that records for whom it was opened.
public final class FakeDoor: Door {
    private let state = Mutex<(people: [String], wait: Duration?, failure: DoorFailure?)>(([], nil, nil))

    public init() {}

    public var people: [String] { state.withLock { $0.people } }

    public func tire(for wait: Duration?) { state.withLock { $0.wait = wait } }
    public func fail(_ failure: DoorFailure?) { state.withLock { $0.failure = failure } }

    public func wait(for userID: String?) async -> Duration? { state.withLock { $0.wait } }

    public func open(for userID: String) async throws(DoorFailure) {
        let failure = state.withLock { state in
            state.people.append(userID)
            return state.failure
        }
        if let failure { throw failure }
    }
}
