// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The database's tables, by their history. A migration that was released never changes.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: sealed identities") { db in
            // User and backend are the UTF-8 bytes: SQLite's texts would end at a zero byte. `id` is the order.
            try db.execute(
                sql: """
                    CREATE TABLE identity (
                        id INTEGER PRIMARY KEY, user_id BLOB NOT NULL, backend BLOB NOT NULL, sealed BLOB NOT NULL,
                        UNIQUE (user_id, backend)) STRICT;
                    CREATE TABLE key_check (id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT;
                    """)
        }
        return migrator
    }
}
