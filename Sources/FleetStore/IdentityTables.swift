// SPDX-License-Identifier: Apache-2.0

import MPinClient
import PostgreSQL

/// The tables, and what is said to them. Every change exchanges the one row of `book`, if that is still as it was read:
/// so versions rise in the order in which changes count.
enum IdentityTables {
    static let migrations = [
        Migration(
            "identities of people",
            """
            CREATE TABLE book (
                one boolean PRIMARY KEY DEFAULT true CHECK (one),
                -- The highest number that was given, and which change was the last.
                number bigint NOT NULL,
                version bigint NOT NULL,
                -- Another one in each database, and which fleet's key seals: the first kiosk says it.
                history text NOT NULL DEFAULT gen_random_uuid()::text,
                fleet bytea
            );
            INSERT INTO book (number, version) VALUES (0, 0);
            CREATE TABLE identity (
                name bytea PRIMARY KEY CHECK (octet_length(name) = \(IdentityRow.nameLength)),
                number bigint NOT NULL UNIQUE,
                version bigint NOT NULL UNIQUE,
                sealed bytea NOT NULL CHECK (octet_length(sealed) <= \(StoredIdentity.maximumRecordLength * 2))
            );
            """)
    ]

    /// Book and the one row, which may not be there: one moment of both.
    static let one = Statement(
        """
        SELECT book.number, book.version, identity.name, identity.number, identity.version, identity.sealed
        FROM book LEFT JOIN identity ON identity.name = $1
        """)
    static let book = Statement("SELECT version FROM book")
    static let whose = Statement("SELECT history, fleet FROM book")
    static let claim = Statement("UPDATE book SET fleet = $1 WHERE fleet IS NULL")
    /// What has changed since, in the order of the changes.
    static let changed = Statement(
        "SELECT name, number, version, sealed FROM identity WHERE version > $1 ORDER BY version LIMIT $2")
    /// All that are there, unless nothing has changed.
    static let names = Statement("SELECT name FROM identity WHERE (SELECT version FROM book) > $1")

    static let save = Statement(
        """
        WITH turn AS (
            UPDATE book SET number = $2, version = version + 1 WHERE version = $1 RETURNING version
        ), saved AS (
            INSERT INTO identity (name, number, version, sealed) SELECT $3, $4, turn.version, $5 FROM turn
            ON CONFLICT (name) DO UPDATE
                SET number = excluded.number, version = excluded.version, sealed = excluded.sealed
            RETURNING 1
        )
        SELECT count(*) FROM saved
        """)
    static let remove = Statement(
        """
        WITH turn AS (UPDATE book SET version = version + 1 WHERE version = $1 RETURNING version),
            removed AS (DELETE FROM identity USING turn WHERE name = $2)
        SELECT count(*) FROM turn
        """)
    /// Changes nothing, and is refused where a change would be.
    static let tryToSave = Statement(
        """
        WITH turn AS (UPDATE book SET version = version WHERE false RETURNING version)
        INSERT INTO identity (name, number, version, sealed) SELECT ''::bytea, 0, turn.version, ''::bytea FROM turn
        """)
}
