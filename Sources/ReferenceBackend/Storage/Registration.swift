// SPDX-License-Identifier: Apache-2.0

import GRDB
import MPinCrypto

/// A registration between its start and the moment its first share is fetched. One-time values are stored as digests.
struct Registration: FetchableRecord, PersistableRecord, Sendable {
    static let lifetime = Duration.seconds(3600)
    /// More than this at a time and the oldest goes.
    static let capacity = 10_000

    var mpinID: [UInt8]
    var userID: String
    var mobile: Int64
    var regOTTDigest: [UInt8]
    var activateKeyDigest: [UInt8]
    var active: Bool
    var expires: Int64

    func encode(to container: inout PersistenceContainer) {
        container["mpinID"] = mpinID.databaseBlob
        container["userID"] = userID
        container["mobile"] = mobile
        container["regOTTDigest"] = regOTTDigest.databaseBlob
        container["activateKeyDigest"] = activateKeyDigest.databaseBlob
        container["active"] = active
        container["expires"] = expires
    }

    init(row: Row) {
        mpinID = row.bytes("mpinID")
        userID = row["userID"]
        mobile = row["mobile"]
        regOTTDigest = row.bytes("regOTTDigest")
        activateKeyDigest = row.bytes("activateKeyDigest")
        active = row["active"]
        expires = row["expires"]
    }

    init(
        mpinID: MPinID, userID: String, mobile: Int64, regOTT: OneTimeToken, activateKey: String, expires: WallTime
    ) {
        self.mpinID = mpinID.bytes
        self.userID = userID
        self.mobile = mobile
        regOTTDigest = regOTT.digest
        activateKeyDigest = Digest.sha256(Array(activateKey.utf8))
        active = false
        self.expires = expires.milliseconds
    }
}

extension Registration {
    /// The registration of `mpinID` that has not expired.
    static func find(_ mpinID: MPinID, in database: Database, now: WallTime) throws -> Registration? {
        try Registration.fetchOne(
            database, sql: "SELECT * FROM registration WHERE mpinID = ? AND expires > ?",
            arguments: [mpinID.bytes.databaseBlob, now.milliseconds])
    }

    /// Every registration that has not expired.
    static func all(in database: Database, now: WallTime) throws -> [Registration] {
        try Registration.fetchAll(
            database, sql: "SELECT * FROM registration WHERE expires > ?", arguments: [now.milliseconds])
    }

    /// Some of those, by user id and time.
    static func page(limit: Int, offset: Int, in database: Database, now: WallTime) throws -> [Registration] {
        try Registration.fetchAll(
            database,
            sql: "SELECT * FROM registration WHERE expires > ? ORDER BY userID, expires, mpinID LIMIT ? OFFSET ?",
            arguments: [now.milliseconds, limit, offset])
    }

    static func count(in database: Database, now: WallTime) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM registration WHERE expires > ?", arguments: [now.milliseconds]) ?? 0
    }

    /// Stores this one and drops what has expired or exceeds the capacity.
    func store(in database: Database, now: WallTime) throws {
        try database.execute(sql: "DELETE FROM registration WHERE expires <= ?", arguments: [now.milliseconds])
        try save(database)
        try database.execute(
            sql: """
                DELETE FROM registration WHERE mpinID IN
                (SELECT mpinID FROM registration ORDER BY expires DESC LIMIT -1 OFFSET ?)
                """, arguments: [Self.capacity])
    }

    static func activate(_ mpinID: MPinID, in database: Database) throws {
        try database.execute(
            sql: "UPDATE registration SET active = 1 WHERE mpinID = ?", arguments: [mpinID.bytes.databaseBlob])
    }

    static func remove(_ mpinID: MPinID, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM registration WHERE mpinID = ?", arguments: [mpinID.bytes.databaseBlob])
    }
}
