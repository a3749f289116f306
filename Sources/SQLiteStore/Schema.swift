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
        migrator.registerMigration("2: numbers that stay") { db in
            // Until now people were told places in the order of registration at their backend: they stay what they were. From
            // now on a number is given once, whatever the backend.
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
        return migrator
    }
}
