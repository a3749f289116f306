// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
import MPinClient

/// A row of the table of identities, still sealed.
struct StoredRow {
    let id: Int
    let key: IdentityKey
    let sealed: [UInt8]
    let number: Int

    /// - Parameter row: all columns of the table, in its order. In versions without numbers the number is 0.
    /// - Returns: nil when a column does not have the type of such a row.
    init?(_ row: Row) {
        // Subscripts of Swift types would end the program for a value of another type.
        func bytes(_ column: Int) -> [UInt8]? {
            let value: DatabaseValue = row[column]
            if case .blob(let data) = value.storage { return Array(data) }
            return nil
        }
        func integer(_ column: Int) -> Int? {
            let value: DatabaseValue = row[column]
            if case .int64(let number) = value.storage { return Int(number) }
            return nil
        }
        guard row.count == 4 || row.count == 5, let id = integer(0), let userID = bytes(1), let backend = bytes(2),
            let sealed = bytes(3), let number = row.count == 4 ? 0 : integer(4)
        else { return nil }
        self.id = id
        key = IdentityKey(
            userID: String(decoding: userID, as: UTF8.self), backend: String(decoding: backend, as: UTF8.self))
        self.sealed = sealed
        self.number = number
    }

    /// All rows in the order in which they were first saved.
    static func all(_ db: Database) throws -> [StoredRow] {
        try Row.fetchAll(db, sql: "SELECT id, user_id, backend, sealed, number FROM identity ORDER BY id")
            .compactMap(StoredRow.init)
    }

    static func one(_ key: IdentityKey, _ db: Database) throws -> StoredRow? {
        try Row.fetchOne(
            db, sql: "SELECT id, user_id, backend, sealed, number FROM identity WHERE user_id = ? AND backend = ?",
            arguments: [Data(key.userID.utf8), Data(key.backend.utf8)]
        ).flatMap(StoredRow.init)
    }

    /// - Returns: nil when the record was not sealed for this owner and number.
    func record(_ seal: RecordSeal) -> SecretBytes? {
        guard number >= 0 else { return nil }
        return seal.open(sealed, context: SealContext.record(of: key, number: seal.version == 1 ? nil : number))
    }

    /// - Returns: nil when the record was not sealed for this owner and number.
    func unsealed(_ seal: RecordSeal) -> UnsealedRow? {
        record(seal).map { UnsealedRow(key: key, number: number, record: $0) }
    }
}

/// The content of a row of the table of identities, without its seal.
struct UnsealedRow {
    let key: IdentityKey
    var number: Int
    let record: SecretBytes

    /// - Parameter id: the row to replace; nil appends one.
    func save(replacing id: Int?, _ seal: RecordSeal, _ db: Database) throws {
        guard let sealed = seal.seal(record, context: SealContext.record(of: key, number: number)) else {
            throw DatabaseError.notSealed
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO identity (id, user_id, backend, sealed, number) VALUES (?, ?, ?, ?, ?)",
            arguments: [id, Data(key.userID.utf8), Data(key.backend.utf8), Data(sealed), number])
    }
}

extension StoreHeader {
    /// - Throws: SQLite's `CORRUPT` when it was not sealed as a header.
    static func load(_ seal: RecordSeal, _ db: Database) throws -> StoreHeader {
        guard let sealed = try StoreHeader.sealed(db), let header = StoreHeader(sealed, seal) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the store's header is not what was saved")
        }
        return header
    }

    static func sealed(_ db: Database) throws -> [UInt8]? {
        try Row.fetchOne(db, sql: "SELECT sealed FROM header").flatMap(StoreHeader.bytes)
    }

    func save(_ seal: RecordSeal, _ db: Database) throws {
        guard let sealed = sealed(with: seal) else { throw DatabaseError.notSealed }
        try db.execute(sql: "INSERT OR REPLACE INTO header (id, sealed) VALUES (1, ?)", arguments: [Data(sealed)])
    }

    /// Writes the row that identifies the database's key.
    static func noteKey(_ seal: RecordSeal, _ db: Database) throws {
        guard let sealed = seal.seal(SecretBytes(copying: []), context: SealContext.keyCheck) else {
            throw DatabaseError.notSealed
        }
        try db.execute(sql: "INSERT OR REPLACE INTO key_check (id, sealed) VALUES (1, ?)", arguments: [Data(sealed)])
    }

    /// The sealed bytes that identify the database's key; nil when there are none.
    static func keyCheck(_ db: Database) throws -> [UInt8]? {
        guard try db.tableExists("key_check") else { return nil }
        return try Row.fetchOne(db, sql: "SELECT sealed FROM key_check").flatMap(StoreHeader.bytes)
    }

    /// Whether nothing was ever saved, because the process that made the tables was cut off.
    static func isUntouched(_ db: Database) throws -> Bool {
        guard try db.tableExists("identity") else { return true }
        return try keyCheck(db) == nil && Int.fetchOne(db, sql: "SELECT count(*) FROM identity") == 0
    }

    private static func bytes(_ row: Row) -> [UInt8]? {
        let value: DatabaseValue = row["sealed"]
        if case .blob(let data) = value.storage { return Array(data) }
        return nil
    }
}

extension DatabaseError {
    fileprivate static let notSealed = DatabaseError(
        resultCode: .SQLITE_NOMEM, message: "OpenSSL did not seal: memory or randomness is out")
}
