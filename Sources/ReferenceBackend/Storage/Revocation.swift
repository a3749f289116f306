// SPDX-License-Identifier: Apache-2.0

import GRDB
import MPinCrypto

/// The relying party's list of identities that may not log in any more.
enum Revocation {
    static func contains(_ mpinID: MPinID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM revocation WHERE mpinID = ?)"),
            arguments: [mpinID.bytes.databaseBlob]) ?? false
    }

    static func add(_ mpinID: MPinID, in database: Database, now: WallTime) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO revocation (mpinID, revoked) VALUES (?, ?)",
            arguments: [mpinID.bytes.databaseBlob, now.milliseconds])
    }
}
