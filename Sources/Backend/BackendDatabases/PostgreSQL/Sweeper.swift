// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL
import Synchronization

/// Removes expired rows, at most once in each period. Several processes may do so at the same time.
final class Sweeper: Sendable {
    private static let period = Duration.seconds(10)
    private static let batchSize: Int64 = 10_000
    /// Skips rows that another process has locked. A wrong clock removes no row that others still use.
    private static let sweep = Statement(
        """
        WITH gone AS (
            DELETE FROM entry WHERE (table_name, key) IN (
                SELECT table_name, key FROM entry
                WHERE expires <= least($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
                LIMIT $2 FOR UPDATE SKIP LOCKED)
            RETURNING 1)
        SELECT count(*) FROM gone
        """)

    private let next = Mutex(WallTime(milliseconds: .min))

    nonisolated(nonsending) func sweepIfDue(_ database: Database, now: WallTime) async {
        let isDue = next.withLock { next in
            guard next <= now || next > now + Self.period else { return false }
            next = now + Self.period
            return true
        }
        guard isDue else { return }
        // Expired rows that remain are never read. They are removed later; if many remain, with the next insertion.
        let removed = try? await database.run(Call(Self.sweep, .time(now), .integer(Self.batchSize))).integer(0, 0)
        if removed == Self.batchSize { next.withLock { $0 = now } }
    }
}
