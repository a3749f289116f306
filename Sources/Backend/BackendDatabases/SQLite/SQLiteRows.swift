// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Foundation
import GRDB
import MPinCrypto
import MPinServer

// Identities and registrations as rows of SQLite. Each login reads identities, so their columns are read by position.

extension RegisteredIdentity: FetchableRecord, PersistableRecord {
    static let databaseTableName = "identity"

    static var databaseSelection: [any SQLSelectable] { columnNames.map { Column($0) } }

    private static let columnNames = [
        "mpinID", "userID", "registered", "publicKey", "nextPublicKey", "replaces", "needsRenewal", "failures",
        "lastFailure", "begunForgotten", "verdicts", "lastLogin", "recentFailures", "revoked", "cardIssued", "cardEnds",
        "claim", "claimEnds",
    ]

    /// - Parameter row: begins with the columns, in their order.
    init(row: Row) {
        self.init(
            mpinID: MPinID(row.bytes(0)), userID: row[1], registered: WallTime(milliseconds: row[2]),
            publicKey: row.bytesIfAny(3), nextPublicKey: row.bytesIfAny(4),
            replaces: row.bytesIfAny(5).map { MPinID($0) }, needsRenewal: row[6], failures: row[7],
            lastFailure: row.timeIfAny(8), begunForgotten: row.timeIfAny(9), verdicts: row[10],
            recentFailures: RecentFailures(bytes: row.bytes(12)), lastLogin: row.timeIfAny(11),
            revoked: row.timeIfAny(13))
        if let issued = row.timeIfAny(14), let ends = row.timeIfAny(15) {
            card = StoredCard(issued: issued, ends: ends)
        }
        if let number = row[16] as Int64?, let ends = row.timeIfAny(17) {
            lease = LoginLease(number: UInt64(bitPattern: number), ends: ends)
        }
    }

    func encode(to container: inout PersistenceContainer) {
        container["mpinID"] = mpinID.databaseBlob
        container["userID"] = userID
        container["registered"] = registered.milliseconds
        container["publicKey"] = publicKey.map { Data($0) }
        container["nextPublicKey"] = nextPublicKey.map { Data($0) }
        container["replaces"] = replaces?.databaseBlob
        container["needsRenewal"] = needsRenewal
        container["failures"] = failures
        container["lastFailure"] = lastFailure?.milliseconds
        container["begunForgotten"] = begunForgotten?.milliseconds
        container["verdicts"] = verdicts
        container["lastLogin"] = lastLogin?.milliseconds
        container["recentFailures"] = Data(recentFailures.bytes)
        container["revoked"] = revoked?.milliseconds
        container["cardIssued"] = card?.issued.milliseconds
        container["cardEnds"] = card?.ends.milliseconds
        container["claim"] = lease.map { Int64(bitPattern: $0.number) }
        container["claimEnds"] = lease?.ends.milliseconds
    }

    /// The beginning of a statement that selects whole identities.
    static let selection = "SELECT " + columnNames.map { "identity.\($0) AS \($0)" }.joined(separator: ", ")
    private static let finding = selection + " FROM identity WHERE mpinID = ?"

    static func find(_ mpinID: MPinID, in database: Database) throws -> RegisteredIdentity? {
        try fetchOne(database.cachedStatement(sql: finding), arguments: [mpinID.databaseBlob])
    }

    /// - Parameter selection: nil for all.
    static func all(_ selection: IdentitySelection?, in database: Database) throws -> [RegisteredIdentity] {
        guard let selection else { return try fetchAll(database, sql: Self.selection + " FROM identity") }
        return try fetchAll(
            database, sql: Self.selection + " FROM identity WHERE userID = ?", arguments: [selection.userID]
        ).filter { selection.contains($0.mpinID) }
    }
}

extension Registration: FetchableRecord, PersistableRecord {
    init(row: Row) {
        self.init(
            mpinID: MPinID(row.bytes("mpinID")), userID: row["userID"], mobile: row["mobile"],
            regOTTDigest: row.bytes("regOTTDigest"), activateKeyDigest: row.bytes("activateKeyDigest"),
            active: row["active"], expires: WallTime(milliseconds: row["expires"]))
    }

    func encode(to container: inout PersistenceContainer) {
        container["mpinID"] = mpinID.databaseBlob
        container["userID"] = userID
        container["mobile"] = mobile
        container["regOTTDigest"] = Data(regOTTDigest)
        container["activateKeyDigest"] = Data(activateKeyDigest)
        container["active"] = active
        container["expires"] = expires.milliseconds
    }

    /// The registration if it has not expired, as in the other functions.
    static func find(_ mpinID: MPinID, in database: Database, now: WallTime) throws -> Registration? {
        try fetchOne(
            database, sql: "SELECT * FROM registration WHERE mpinID = ? AND expires > ?",
            arguments: [mpinID.databaseBlob, now.milliseconds])
    }

    static func all(in database: Database, now: WallTime) throws -> [Registration] {
        try fetchAll(database, sql: "SELECT * FROM registration WHERE expires > ?", arguments: [now.milliseconds])
    }

    static func count(in database: Database, now: WallTime) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM registration WHERE expires > ?", arguments: [now.milliseconds]) ?? 0
    }
}

extension MPinID {
    var databaseBlob: Data { Data(bytes) }
}

extension Row {
    /// The bytes of a BLOB column.
    fileprivate func bytes(_ column: String) -> [UInt8] { [UInt8](self[column] as Data) }

    fileprivate func bytes(_ column: Int) -> [UInt8] { bytesIfAny(column) ?? [] }

    fileprivate func bytesIfAny(_ column: Int) -> [UInt8]? { (self[column] as Data?).map { [UInt8]($0) } }

    fileprivate func timeIfAny(_ column: Int) -> WallTime? {
        (self[column] as Int64?).map { WallTime(milliseconds: $0) }
    }
}
