// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import GRDB
import MPinServer

/// The short links of mails, in SQLite.
extension BackendDatabase {
    static let mailedLinkTable = """
        CREATE TABLE mailedLink (digest BLOB PRIMARY KEY NOT NULL, target BLOB NOT NULL, expires INTEGER NOT NULL);
        CREATE INDEX mailedLinkByExpiry ON mailedLink (expires);
        """

    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool {
        try await write { database in
            try database.execute(sql: "DELETE FROM mailedLink WHERE expires <= ?", arguments: [now.milliseconds])
            try database.execute(
                sql: "INSERT INTO mailedLink SELECT ?, ?, ? WHERE (SELECT count(*) FROM mailedLink) < ?",
                arguments: [
                    Data(link.digest), Data(link.sealedTarget), link.expires.milliseconds, capacity,
                ])
            return database.changesCount > 0
        }
    }

    func mailedLink(
        _ digest: [UInt8], now: WallTime
    ) async throws(StorageError) -> MailedLink? {
        try await read { database in
            try Row.fetchOne(
                database, sql: "SELECT target, expires FROM mailedLink WHERE digest = ? AND expires > ?",
                arguments: [Data(digest), now.milliseconds]
            ).map { row in
                MailedLink(
                    digest: digest, sealedTarget: [UInt8](row["target"] as Data),
                    expires: WallTime(milliseconds: row["expires"]))
            }
        }
    }
}
