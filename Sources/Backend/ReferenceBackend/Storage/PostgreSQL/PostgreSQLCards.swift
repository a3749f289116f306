// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

/// The times of personal cards, in PostgreSQL.
extension PostgreSQLDurable {
    static let cardTable = """
        CREATE TABLE card (
            mpin_id bytea PRIMARY KEY REFERENCES identity ON DELETE CASCADE, issued bigint NOT NULL, ends bigint NOT NULL
        );
        """

    private static let keepCard = Statement(
        """
        INSERT INTO card SELECT mpin_id, $2, $3 FROM identity
        WHERE mpin_id = $1 AND NOT EXISTS (SELECT FROM revocation WHERE revocation.mpin_id = identity.mpin_id)
        ON CONFLICT (mpin_id) DO UPDATE SET issued = excluded.issued, ends = excluded.ends
        WHERE excluded.ends > card.ends
        """)
    private static let findCard = Statement("SELECT mpin_id, issued, ends FROM card WHERE mpin_id = $1 AND ends > $2")
    private static let allCards = Statement("SELECT mpin_id, issued, ends FROM card WHERE ends > $1")

    func keep(_ card: StoredCard, of mpinID: MPinID) async throws(StorageError) {
        _ = try await database.rows(
            Call(Self.keepCard, .bytes(mpinID.bytes), .time(card.issued), .time(card.ends)))
    }

    func cards(of mpinIDs: [MPinID]?, now: WallTime) async throws(StorageError) -> [MPinID: StoredCard] {
        let calls =
            mpinIDs.map { $0.map { Call(Self.findCard, .bytes($0.bytes), .time(now)) } }
            ?? [Call(Self.allCards, .time(now))]
        guard !calls.isEmpty else { return [:] }
        var cards: [MPinID: StoredCard] = [:]
        for answer in try await database.allRows(calls) {
            for (mpinID, card) in try answer.cards() { cards[mpinID] = card }
        }
        return cards
    }
}

extension Rows {
    fileprivate func cards() throws(StorageError) -> [(MPinID, StoredCard)] {
        try read { row throws(DatabaseFault) in
            (
                MPinID(try bytes(row, 0)),
                StoredCard(
                    issued: WallTime(milliseconds: try integer(row, 1)),
                    ends: WallTime(milliseconds: try integer(row, 2)))
            )
        }
    }
}
