// SPDX-License-Identifier: Apache-2.0

import BackendValues
import PostgreSQL

/// The short links of mails, in PostgreSQL.
extension PostgreSQLDurable {
    static let mailedLinkTable = """
        CREATE TABLE mailed_link (digest bytea PRIMARY KEY, target bytea NOT NULL, expires bigint NOT NULL);
        CREATE INDEX mailed_link_by_expiry ON mailed_link (expires);
        """

    private static let dropOldLinks = Statement("DELETE FROM mailed_link WHERE expires <= $1")
    /// Some at the same moment may exceed the bound by as many.
    private static let addLink = Statement(
        """
        INSERT INTO mailed_link SELECT $1, $2, $3 WHERE (SELECT count(*) FROM mailed_link) < $4 RETURNING expires
        """)
    private static let findLink = Statement(
        "SELECT target, expires FROM mailed_link WHERE digest = $1 AND expires > $2")

    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool {
        let answers = try await database.allRows([
            Call(Self.dropOldLinks, .time(now)),
            Call(
                Self.addLink, .bytes(link.digest), .bytes(link.sealedTarget), .time(link.expires),
                .integer(Int64(capacity))),
        ])
        return !answers[1].isEmpty
    }

    nonisolated(nonsending) func mailedLink(
        _ digest: [UInt8], now: WallTime
    ) async throws(StorageError) -> MailedLink? {
        try await database.rows(Call(Self.findLink, .bytes(digest), .time(now))).mailedLinks(digest).first
    }
}

extension Rows {
    fileprivate func mailedLinks(_ digest: [UInt8]) throws(StorageError) -> [MailedLink] {
        try read { row throws(DatabaseFault) in
            MailedLink(
                digest: digest, sealedTarget: try bytes(row, 0),
                expires: WallTime(milliseconds: try integer(row, 1)))
        }
    }
}
