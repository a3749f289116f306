// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import MPinCrypto

/// The times of personal cards, in SQLite.
extension BackendDatabase {
    static let cardTable = """
        CREATE TABLE card (
            mpinID BLOB PRIMARY KEY NOT NULL REFERENCES identity ON DELETE CASCADE, issued INTEGER NOT NULL,
            ends INTEGER NOT NULL
        )
        """

    func keep(_ card: StoredCard, of mpinID: MPinID) async throws(StorageError) {
        let known = try lookUp { try StoredCard.find(mpinID, in: $0) }
        guard known.map({ $0.ends < card.ends }) ?? true else { return }
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO card SELECT mpinID, ?, ? FROM identity
                    WHERE mpinID = ? AND mpinID NOT IN (SELECT mpinID FROM revocation)
                    ON CONFLICT (mpinID) DO UPDATE SET issued = excluded.issued, ends = excluded.ends
                    WHERE excluded.ends > card.ends
                    """,
                arguments: [card.issued.milliseconds, card.ends.milliseconds, mpinID.databaseBlob])
        }
    }

    func cards(of mpinIDs: [MPinID]?, now: WallTime) async throws(StorageError) -> [MPinID: StoredCard] {
        try await read { database in
            var cards: [MPinID: StoredCard] = [:]
            if let mpinIDs {
                for mpinID in mpinIDs { cards[mpinID] = try StoredCard.find(mpinID, in: database) }
            } else {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM card") {
                    cards[MPinID([UInt8](row["mpinID"] as Data))] = StoredCard(row)
                }
            }
            return cards.filter { now < $0.value.ends }
        }
    }

    /// In the transaction of a revocation.
    static func dropCard(of mpinID: MPinID, in database: Database) throws {
        try database.execute(sql: "DELETE FROM card WHERE mpinID = ?", arguments: [mpinID.databaseBlob])
    }
}

extension StoredCard {
    fileprivate init(_ row: Row) {
        self.init(issued: WallTime(milliseconds: row["issued"]), ends: WallTime(milliseconds: row["ends"]))
    }

    fileprivate static func find(_ mpinID: MPinID, in database: Database) throws -> StoredCard? {
        try Row.fetchOne(
            database, sql: "SELECT * FROM card WHERE mpinID = ?", arguments: [mpinID.databaseBlob]
        ).map { StoredCard($0) }
    }
}
