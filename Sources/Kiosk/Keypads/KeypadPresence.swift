// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Synchronization

/// Tracks which of several keypads are available.
final class KeypadPresence: Sendable {
    private let isThere: Mutex<[Bool]>

    /// - Parameter lacking: the number of further keypads that are not there until they report themselves.
    init(count: Int, lacking: Int = 0) {
        isThere = Mutex([Bool](repeating: true, count: count) + [Bool](repeating: false, count: lacking))
    }

    /// The report of all keypads together after one of them reported; nil when nothing changes.
    func merge(_ report: KeypadReport, of index: Int) -> KeypadReport? {
        isThere.withLock { isThere in
            switch report {
            case .available:
                let wasAny = isThere.contains(true)
                isThere[index] = true
                return wasAny ? nil : .available
            case .unavailable(let reason):
                isThere[index] = false
                return isThere.contains(true) ? .trouble(reason) : report
            case .pressed, .keysLost, .trouble: return report
            }
        }
    }
}
