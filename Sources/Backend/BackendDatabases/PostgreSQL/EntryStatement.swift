// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The statements of all tables.
enum EntryStatement {
    static let find = Statement("SELECT value, expires, owner FROM entry WHERE table_name = $1 AND key = $2")
    static let lock = Statement("SELECT value, expires, owner FROM entry WHERE table_name = $1 AND key = $2 FOR UPDATE")
    static let take = Statement(
        "DELETE FROM entry WHERE table_name = $1 AND key = $2 RETURNING value, expires, owner")
    static let remove = Statement("DELETE FROM entry WHERE table_name = $1 AND key = $2")
    static let insert = Statement(
        """
        INSERT INTO entry (table_name, key, value, expires, owner) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (table_name, key) DO NOTHING RETURNING number
        """)
    static let update = Statement(
        """
        UPDATE entry SET value = $3, expires = $4, owner = $5 WHERE table_name = $1 AND key = $2 RETURNING number
        """)
    static let ownCount = Statement(
        "SELECT count(*), min(expires) FROM entry WHERE table_name = $1 AND owner = $2 AND expires > $3 AND key <> $4")
    static let newcomerCount = Statement(
        "SELECT count(*) FROM entry WHERE table_name = $1 AND owner >= 'n' AND owner < 'o' AND expires > $2")
    static let count = Statement(
        """
        SELECT count(*), count(*) FILTER (WHERE owner IS NULL) FROM entry
        WHERE table_name = $1 AND expires > $2 AND key <> $3
        """)
    static let firstEnd = Statement("SELECT min(expires) FROM entry WHERE table_name = $1 AND expires > $2")
    static let removeOldest = Statement(
        """
        DELETE FROM entry WHERE (table_name, key) IN (
            SELECT table_name, key FROM entry
            WHERE table_name = $1 AND owner IS NOT DISTINCT FROM $2 AND expires > $3 AND key <> $5
            ORDER BY number LIMIT $4 FOR UPDATE SKIP LOCKED)
        """)
    static let all = Statement("SELECT value FROM entry WHERE table_name = $1 AND expires > $2 ORDER BY number DESC")
}
