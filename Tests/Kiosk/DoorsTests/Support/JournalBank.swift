// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Synchronization

/// The calls on a line.
final class LineJournal: Sendable {
    private let state = Mutex<(values: [UInt64], failures: Int, isHeld: Bool)>(([], 0, true))

    /// Every value that was set, in order.
    var values: [UInt64] { state.withLock { $0.values } }
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Makes the next calls fail.
    func fail(_ count: Int) { state.withLock { $0.failures = count } }

    fileprivate func set(_ value: UInt64) throws(LineError) {
        let fails = state.withLock { state in
            guard state.failures == 0 else {
                state.failures -= 1
                return true
            }
            state.values.append(value)
            return false
        }
        if fails { throw LineError(.gone, at: "chip", problem: "the GPIO chip is gone", remedy: "put it back") }
    }

    fileprivate func letGo() { state.withLock { $0.isHeld = false } }
}

/// A line that records its calls.
struct JournalBank: LineBank, ~Copyable {
    let journal: LineJournal

    deinit { journal.letGo() }

    mutating func configure(_ lines: [LineSettings]) throws(LineError) {}
    mutating func set(_ active: UInt64) throws(LineError) { try journal.set(active) }
    mutating func values() throws(LineError) -> UInt64 { journal.values.last ?? 0 }
    mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait { .nothing }
    mutating func takeEdges() throws(LineError) -> [LineEdge] { [] }
}
