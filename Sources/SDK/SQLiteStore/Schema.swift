// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The database's tables, as a list of migrations. A released migration never changes.
enum Schema {
    /// - Parameter seal: seals values of migrations; nil only to ask which ones were done.
    static func migrator(_ seal: RecordSeal? = nil, legacy: RecordSeal? = nil) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: sealed identities") { db in
            // User and backend are UTF-8 bytes: SQLite's texts would end at a zero byte. `id` is the order.
            try db.execute(
                sql: """
                    CREATE TABLE identity (
                        id INTEGER PRIMARY KEY, user_id BLOB NOT NULL, backend BLOB NOT NULL, sealed BLOB NOT NULL,
                        UNIQUE (user_id, backend)) STRICT;
                    CREATE TABLE key_check (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT;
                    """)
        }
        migrator.registerMigration("2: numbers that stay") { db in
            // Earlier versions numbered identities by their registration at each backend: those numbers stay. From now
            // on a number is given out once for all backends.
            try db.execute(
                sql: """
                    ALTER TABLE identity ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
                    UPDATE identity SET number = (
                        SELECT count(*) FROM identity AS other
                        WHERE other.backend = identity.backend AND other.id <= identity.id);
                    CREATE TABLE numbering (
                        id INTEGER PRIMARY KEY CHECK (id = 1), highest INTEGER NOT NULL) STRICT;
                    INSERT INTO numbering SELECT 1, coalesce(max(number), 0) FROM identity;
                    """)
        }
        migrator.registerMigration("3: sealed numbers") { db in
            guard let seal, let legacy else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "no key to migrate with")
            }
            try db.execute(
                sql: "CREATE TABLE header (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT")
            // Earlier versions did not tie a number to its record. A record that does not open stays damaged.
            for row in try StoredRow.all(db) {
                try row.unsealed(legacy)?.save(replacing: row.id, seal, db)
            }
            try StoreHeader.noteKey(seal, db)
            let highest = try Int.fetchOne(db, sql: "SELECT highest FROM numbering") ?? 0
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM identity") ?? 0
            try StoreHeader(generation: 1, highest: highest, count: count, lost: 0).save(seal, db)
            try db.execute(sql: "DROP TABLE numbering")
        }
        return migrator
    }
}
