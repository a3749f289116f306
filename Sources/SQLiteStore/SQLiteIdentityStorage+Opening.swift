// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues

extension SQLiteIdentityStorage {
    /// Opens the database, with an empty one in its place when it is beyond reading and `access` allows.
    static func open(
        _ location: StoreLocation, _ access: Access, _ directory: borrowing PrivateDirectory,
        _ health: inout StoreHealth
    ) throws(StoreOpeningError) -> DatabaseQueue {
        let file = DatabaseFile(path: location.databaseFile)
        if access == .exclusive { try file.makeIfMissing(in: directory) }
        try file.requirePrivate()
        do {
            return try file.open(readOnly: access == .reading)
        } catch {
            guard error.code == .damaged, access == .exclusive else { throw error }
            health.movedAside = try file.moveAside(Date(), in: directory)
            try file.makeIfMissing(in: directory)
            return try file.open(readOnly: false)
        }
    }

    /// The key that the database is sealed with; a new one for a new database.
    static func key(
        _ location: StoreLocation, _ access: Access, _ queue: DatabaseQueue
    ) throws(StoreOpeningError) -> SecretBytes {
        let directory = try PrivateDirectory(location.keyDirectory, creating: access == .exclusive)
        try refuseKeyBesideDatabase(location, directory)
        let check: Data?
        do {
            check = try queue.read { try Data.fetchOne($0, sql: "SELECT sealed FROM key_check") }
        } catch { throw StoreOpeningError(.unavailable, "\(location.databaseFile): \(StoreFailure(error).detail)") }

        let file = KeyFile(path: location.keyFile)
        guard let check else {
            let key = if let key = try file.load() { key } else { try file.create(in: directory) }
            try note(key, queue)
            return key
        }
        guard let key = try file.load() else {
            throw StoreOpeningError(
                .keyMissing,
                "the key file \(file.path) is missing, and the identities in \(location.databaseFile) cannot be read "
                    + "without it: restore it, or move the database away to begin anew")
        }
        guard RecordSeal(key: key).open(Array(check), context: SealContext.keyCheck) != nil else {
            throw StoreOpeningError(
                .wrongKey,
                "the key file \(file.path) is not the one that \(location.databaseFile) was sealed with: restore it, or "
                    + "move the database away to begin anew")
        }
        return key
    }

    /// Leaves in the database what tells its key from others.
    private static func note(_ key: SecretBytes, _ queue: DatabaseQueue) throws(StoreOpeningError) {
        guard let sealed = RecordSeal(key: key).seal(SecretBytes(copying: []), context: SealContext.keyCheck) else {
            throw StoreOpeningError(.unavailable, "OpenSSL did not seal: memory or randomness is out")
        }
        do {
            try queue.write { db in
                try db.execute(sql: "INSERT INTO key_check (id, sealed) VALUES (1, ?)", arguments: [Data(sealed)])
            }
        } catch { throw StoreOpeningError(.unavailable, "\(queue.path): \(StoreFailure(error).detail)") }
    }

    private static func refuseKeyBesideDatabase(
        _ location: StoreLocation, _ keyDirectory: borrowing PrivateDirectory
    ) throws(StoreOpeningError) {
        let database = try PrivateDirectory(location.directory, creating: false).realPath()
        let key = try keyDirectory.realPath()
        guard key != database, !key.hasPrefix(database + "/") else {
            throw StoreOpeningError(
                .keyBesideDatabase,
                "the key file \(location.keyFile) lies within the database's directory \(location.directory), where a "
                    + "copy of the one is a copy of the other: give it another directory")
        }
    }
}
