// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Synchronization

/// This process's knowledge of how full tables are. Asking would cost each login a round trip that counts all entries.
final class FullTables: Sendable {
    /// The time after which the table is tried again.
    private static let memory = Duration.seconds(5)
    /// A process fills the room that it has counted by one sixteenth before it counts again. There are fewer processes.
    private static let mostProcesses = 16

    private struct State {
        /// The tables that had no room for a person.
        var refusals: [String: (refusal: Refusal, end: WallTime)] = [:]
        /// Number of entries that may be added before the table is counted.
        var rooms: [String: Int] = [:]
    }

    private let state = Mutex(State())

    func note(_ name: String, _ refusal: Refusal, now: WallTime) {
        state.withLock { $0.refusals[name] = (refusal, now + Self.memory) }
    }

    func refusal(by name: String, now: WallTime) -> Refusal? {
        // A clock that was set back must not turn seconds into hours.
        guard let known = state.withLock({ $0.refusals[name] }), known.end > now, known.end <= now + Self.memory else {
            return nil
        }
        return known.refusal
    }

    /// Takes the room for an entry.
    /// - Returns: false when the table has to be counted before.
    func takeRoom(in name: String) -> Bool {
        state.withLock { state in
            guard let room = state.rooms[name], room > 0 else { return false }
            state.rooms[name] = room - 1
            return true
        }
    }

    func noteRoom(of name: String, _ room: Int) { state.withLock { $0.rooms[name] = room / Self.mostProcesses } }
}
