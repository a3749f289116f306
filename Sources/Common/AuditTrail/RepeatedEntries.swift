// SPDX-License-Identifier: Apache-2.0

/// Joins equal entries within a minute: the first has its line at once, and later ones share one line with their
/// number when the minute is over. So nobody can fill the audit log by repetition.
struct RepeatedEntries {
    /// In seconds.
    let period: Int64
    /// Further different entries within a minute have a line each.
    static let capacity = 256

    private struct Run {
        let start: Int64
        /// The number of entries after the first.
        var count = 0
    }

    private var runs: [AuditEntry: Run] = [:]

    init(period: Int64) { self.period = period }

    /// Whether entries wait for the end of their minute.
    var isWaiting: Bool { runs.values.contains { $0.count > 0 } }

    /// - Parameter now: seconds of the clock; setting it back ends every minute.
    /// - Returns: whether the entry was joined with earlier ones. Otherwise write it; it may be the first of several.
    mutating func joins(_ entry: AuditEntry, at now: Int64) -> Bool {
        if runs[entry] != nil {
            runs[entry]?.count += 1
            return true
        }
        if runs.count < Self.capacity { runs[entry] = Run(start: now) }
        return false
    }

    /// The lines of minutes that are over.
    mutating func ended(at now: Int64) -> [AuditEntry] {
        let period = period
        return take { !($0.start..<$0.start + period).contains(now) }
    }

    mutating func all() -> [AuditEntry] { take { _ in true } }

    private mutating func take(_ isOver: (Run) -> Bool) -> [AuditEntry] {
        let over = runs.filter { isOver($0.value) }
        for entry in over.keys { runs[entry] = nil }
        return over.filter { $0.value.count > 0 }.sorted { $0.value.start < $1.value.start }
            .map { $0.key.repeated($0.value.count) }
    }
}
