// SPDX-License-Identifier: Apache-2.0

import Foundation
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
    /// 128 bytes; nil for an identity of the classic protocol.
    private(set) var publicKey: [UInt8]?
    /// The key that is to take the other one's place, once the device has proved that it has it.
    private(set) var nextPublicKey: [UInt8]?
    /// The identity that this one is to take the place of, once it has proved itself.
    private(set) var replaces: MPinID?
    /// An operator wants the device to take a new secret.
    private(set) var needsRenewal = false
    var failures: Int64 = 0
    var lastFailure: WallTime?
    /// When every login that was begun without a verdict will be forgotten; nil when there is none.
    private(set) var begunForgotten: WallTime?
    /// How many there were, so that every verdict changes the row: SQLite writes nothing where nothing changes.
    private var verdicts: Int64 = 0

    /// Whether it is one of the classic protocol, which knows no keys.
    var isClassic: Bool { publicKey == nil }

    /// What secrets are bound to.
    /// - Parameter claimed: the key that the device says it has; nil is the identity's own.
    /// - Returns: nil when it is none of the identity's keys.
    func identity(claiming claimed: [UInt8]?) throws(MPinCryptoError) -> MPinIdentity? {
        guard let claimed = claimed ?? publicKey else { return MPinIdentity(mpinID) }
        guard claimed == publicKey || claimed == nextPublicKey else { return nil }
        return MPinIdentity(mpinID, publicKey: try DVSPublicKey(bytes: claimed))
    }

    /// Whether its device can take a new secret: those of the classic protocol do not know how.
    var canRenew: Bool { MPinIDText.verification(of: mpinID) != nil }

    var isBlocked: Bool { failures >= Self.maximumFailures }

    init(mpinID: MPinID, userID: String, registered: WallTime, publicKey: [UInt8]? = nil, replaces: MPinID? = nil) {
        self.mpinID = mpinID
        self.userID = userID
        self.registered = registered
        self.publicKey = publicKey
        self.replaces = replaces
    }

    init(row: Row) {
        mpinID = MPinID(row.bytes("mpinID"))
        userID = row["userID"]
        registered = WallTime(milliseconds: row["registered"])
        publicKey = (row["publicKey"] as Data?).map { [UInt8]($0) }
        nextPublicKey = (row["nextPublicKey"] as Data?).map { [UInt8]($0) }
        replaces = (row["replaces"] as Data?).map { MPinID([UInt8]($0)) }
        needsRenewal = row["needsRenewal"]
        failures = row["failures"]
        lastFailure = (row["lastFailure"] as Int64?).map { WallTime(milliseconds: $0) }
        begunForgotten = (row["begunForgotten"] as Int64?).map { WallTime(milliseconds: $0) }
        verdicts = row["verdicts"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["mpinID"] = mpinID.bytes.databaseBlob
        container["userID"] = userID
        container["registered"] = registered.milliseconds
        container["publicKey"] = publicKey?.databaseBlob
        container["nextPublicKey"] = nextPublicKey?.databaseBlob
        container["replaces"] = replaces?.bytes.databaseBlob
        container["needsRenewal"] = needsRenewal
        container["failures"] = failures
        container["lastFailure"] = lastFailure?.milliseconds
        container["begunForgotten"] = begunForgotten?.milliseconds
        container["verdicts"] = verdicts
    }
}

extension RegisteredIdentity {
    /// Another one that was to take the same place and was never used goes.
    func add(to database: Database) throws {
        if let replaces {
            try database.execute(
                sql: "DELETE FROM identity WHERE replaces = ?", arguments: [replaces.bytes.databaseBlob])
        }
        try insert(database)
    }

    /// Keeps how many logins were begun without a verdict.
    mutating func countBeginning(forgotten: WallTime, in database: Database) throws {
        begunForgotten = forgotten
        try update(database)
    }

    /// Counts what was wrong, or forgives it.
    mutating func settle(_ verdict: LoginVerdict, in database: Database) throws {
        verdicts += 1
        if verdict.isForgiving {
            clear()
        } else {
            failures += verdict.wrong
            if verdict.wrong > 0 { lastFailure = verdict.time }
            begunForgotten = begunForgotten.map { $0 + verdict.takenBack }
        }
        try update(database)
    }

    private mutating func clear() {
        failures = 0
        lastFailure = nil
        begunForgotten = nil
    }

    /// Wants a new secret at the next login. Identities of the classic protocol cannot have one.
    mutating func requestRenewal(in database: Database) throws {
        needsRenewal = true
        try update(database)
    }

    /// Keeps a key that the device is going to use instead of the one that it has. Another one that was not used goes.
    mutating func expect(publicKey: [UInt8], in database: Database) throws {
        nextPublicKey = publicKey
        try update(database)
    }

    /// The device proved that it has the key that was expected; the old one is worth nothing from now on.
    mutating func takeNextKey(in database: Database) throws {
        guard let nextPublicKey else { return }
        publicKey = nextPublicKey
        self.nextPublicKey = nil
        needsRenewal = false
        try update(database)
    }

    /// Removes the identity that this one was made for.
    mutating func takePlace(in database: Database) throws {
        guard let replaces else { return }
        try database.execute(
            sql: "DELETE FROM identity WHERE mpinID = ?", arguments: [replaces.bytes.databaseBlob])
        self.replaces = nil
        try update(database)
    }

    /// Forgets the wrong logins, and those without a verdict.
    mutating func forgetFailures(in database: Database) throws {
        clear()
        try update(database)
    }

    static func find(_ mpinID: MPinID, in database: Database) throws -> RegisteredIdentity? {
        try RegisteredIdentity.fetchOne(
            database.cachedStatement(sql: "SELECT * FROM identity WHERE mpinID = ?"),
            arguments: [mpinID.bytes.databaseBlob])
    }

    static func all(in database: Database) throws -> [RegisteredIdentity] { try fetchAll(database) }

    /// - Parameter fingerprint: of the only one that is meant; nil for all of them.
    static func all(
        of userID: String, fingerprint: String? = nil, in database: Database
    ) throws -> [RegisteredIdentity] {
        let all = try RegisteredIdentity.fetchAll(
            database, sql: "SELECT * FROM identity WHERE userID = ?", arguments: [userID])
        return fingerprint.map { wanted in all.filter { $0.mpinID.fingerprint == wanted } } ?? all
    }

    /// Some of all, by user id and time.
    static func page(limit: Int, offset: Int, in database: Database) throws -> [RegisteredIdentity] {
        try RegisteredIdentity.fetchAll(
            database, sql: "SELECT * FROM identity ORDER BY userID, registered, mpinID LIMIT ? OFFSET ?",
            arguments: [limit, offset])
    }
}

/// What judging found, as the identity keeps it.
struct LoginVerdict: Sendable {
    let isRight: Bool
    /// Whether a right one makes up for wrong ones before it.
    let forgives: Bool
    /// Wrong ones that count from now on: this one, and those that could not be written before.
    let wrong: Int64
    let time: WallTime
    /// By how much earlier the begun ones are forgotten, now that this one has a verdict; negative.
    let takenBack: Duration

    var isForgiving: Bool { isRight && forgives }
}
