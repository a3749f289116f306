// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinServer
import PostgreSQL

/// The short links of mails, in PostgreSQL.
extension PostgreSQLDurable {
    private static let dropOldLinks = Statement("DELETE FROM mailed_link WHERE expires <= $1")
    /// Additions at the same moment may exceed the bound by their number.
    private static let addLink = Statement(
        """
        INSERT INTO mailed_link SELECT $1, $2, $3 WHERE (SELECT count(*) FROM mailed_link) < $4 RETURNING expires
        """)
    private static let findLink = Statement(
        "SELECT target, expires FROM mailed_link WHERE digest = $1 AND expires > $2")

    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool {
        let calls = [
            Call(Self.dropOldLinks, .time(now)),
            Call(
                Self.addLink, .bytes(link.digest), .bytes(link.sealedTarget), .time(link.expires),
                .integer(Int64(capacity))),
        ]
        return try await database.answers(to: calls) { !$0[1].isEmpty }
    }

    func mailedLink(_ digest: [UInt8], now: WallTime) async throws(StorageError) -> MailedLink? {
        try await database.answer(to: Call(Self.findLink, .bytes(digest), .time(now))) { rows throws(DatabaseFault) in
            guard !rows.isEmpty else { return nil }
            return MailedLink(digest: digest, sealedTarget: try rows.bytes(0, 0), expires: try rows.time(0, 1))
        }
    }
}
