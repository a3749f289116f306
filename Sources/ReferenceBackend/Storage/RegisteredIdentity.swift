// SPDX-License-Identifier: Apache-2.0

import GRDB
import MPinCrypto

/// An identity that fetched its first share: it may log in until it is blocked or revoked.
struct RegisteredIdentity: FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "identity"
    /// As many wrong logins in a row block it: 401, 401, 410.
    static let maximumFailures: Int64 = 3

    let mpinID: MPinID
    let userID: String
    let registered: WallTime
    var failures: Int64 = 0
    var lastFailure: WallTime?

    var isBlocked: Bool { failures >= Self.maximumFailures }

    init(mpinID: MPinID, userID: String, registered: WallTime) {
        self.mpinID = mpinID
        self.userID = userID
        self.registered = registered
    }

    init(row: Row) {
        mpinID = MPinID(row.bytes("mpinID"))
        userID = row["userID"]
        registered = WallTime(milliseconds: row["registered"])
        failures = row["failures"]
        lastFailure = (row["lastFailure"] as Int64?).map { WallTime(milliseconds: $0) }
    }

    func encode(to container: inout PersistenceContainer) {
        container["mpinID"] = mpinID.bytes.databaseBlob
        container["userID"] = userID
        container["registered"] = registered.milliseconds
        container["failures"] = failures
        container["lastFailure"] = lastFailure?.milliseconds
    }
}

extension RegisteredIdentity {
    func add(to database: Database) throws { try insert(database) }

    /// Counts a wrong login.
    mutating func countFailure(at time: WallTime, in database: Database) throws {
        failures += 1
        lastFailure = time
        try update(database)
    }

    /// Forgets the wrong logins.
    mutating func forgetFailures(in database: Database) throws {
        failures = 0
        lastFailure = nil
        try update(database)
    }

    static func find(_ mpinID: MPinID, in database: Database) throws -> RegisteredIdentity? {
        try RegisteredIdentity.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM identity WHERE mpinID = ?"),
            arguments: [mpinID.bytes.databaseBlob])
    }

    static func contains(_ mpinID: MPinID, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM identity WHERE mpinID = ?)"),
            arguments: [mpinID.bytes.databaseBlob]) ?? false
    }

    static func all(in database: Database) throws -> [RegisteredIdentity] { try fetchAll(database) }

    static func all(of userID: String, in database: Database) throws -> [RegisteredIdentity] {
        try RegisteredIdentity.fetchAll(database, sql: "SELECT * FROM identity WHERE userID = ?", arguments: [userID])
    }
}
