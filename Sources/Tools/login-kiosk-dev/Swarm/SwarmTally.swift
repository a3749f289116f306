// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The events of a swarm's tasks. Its memory is bounded by the plan's number of logins.
final class SwarmTally: Sendable {
    struct State: Sendable {
        var registrations: [Double] = []
        var logins: [SwarmLogin] = []
        /// Logins dropped because no kiosk or browser was free.
        var notBegun = 0
        /// Failed requests, by kind.
        var errors: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func add(_ login: SwarmLogin) { state.withLock { $0.logins.append(login) } }

    func addRegistration(seconds: Double) { state.withLock { $0.registrations.append(seconds) } }

    func addNotBegun() { state.withLock { $0.notBegun += 1 } }

    func addError(_ kind: String) { state.withLock { $0.errors[kind, default: 0] += 1 } }

    var now: State { state.withLock { $0 } }
}
