// SPDX-License-Identifier: Apache-2.0

import GRDB
import LoginValues

/// Opens a store: checks that the database is sound, of this version, sealed with an existing key, and not older than
/// the last one written here.
struct StoreOpening {
    let location: StoreLocation
    let access: SQLiteIdentityStorage.Access
    /// Whether the operator accepts an older database.
    let acceptsOlder: Bool

    struct Opened {
        let queue: DatabaseQueue
        /// Nil when nothing was ever saved, so that there may be no key.
        let seal: RecordSeal?
        var health = StoreHealth()
    }

    private var file: DatabaseFile { DatabaseFile(path: location.database) }
    private var counter: StoreCounter { StoreCounter(of: location) }

    /// - Parameter directory: the database's, locked when `access` is exclusive.
    func open(in directory: borrowing PrivateDirectory) throws(StoreOpeningError) -> Opened {
        let keyDirectory = try PrivateDirectory(location.keyDirectory, creating: access == .exclusive)
        try refuseKeyBesideDatabase(keyDirectory)
        // Read before the database: if another process changes it in between, the database is the newer one.
        let note = try counter.load()
        if access == .exclusive { try file.makeIfMissing() }
        try file.requirePrivate()
        do {
            return try openSound(note, keyDirectory)
        } catch  where error.code == .damaged {
            let rescue = StoreRescue(location: location, note: note, acceptsOlder: acceptsOlder)
            let found = try rescue.find()
            guard access == .exclusive else {
                throw StoreOpeningError(
                    .damaged,
                    "\(error.description) (\(found.rows.count) identities can be read and are kept, "
                        + "\(found.header.lost) are lost)")
            }
            let aside = try rescue.replaceDatabase(with: found, in: directory)
            var opened = try openSound(note, keyDirectory)
            opened.health.movedAside = aside
            return opened
        }
    }

    private func openSound(
        _ note: StoreCounter.Note?, _ keyDirectory: borrowing PrivateDirectory
    ) throws(StoreOpeningError) -> Opened {
        let (queue, age) = try file.open(readOnly: access == .reading)
        if age != .current, access == .reading { return try openUnchanged(queue, age, note) }
        let keys = try KeyRing(at: location)
        let key = try findKey(keys, queue, age)
        let seal = RecordSeal(key: key)
        do {
            if age != .current { try Schema.migrator(seal, legacy: RecordSeal(key: key, version: 1)).migrate(queue) }
            let header = try queue.read { db in try checkedHeader(seal, db) }
            let current = try compare(header, note)
            var opened = Opened(queue: queue, seal: seal)
            opened.health.lost = current.lost
            guard access == .exclusive else { return opened }
            try keys.settle(on: key, in: keyDirectory)
            if current != header { try queue.write { try current.save(seal, $0) } }
            if note != StoreCounter.Note(current) {
                // On a read-only medium there is no change to note either.
                try? counter.save(current)
            }
            return opened
        } catch { throw StoreOpeningError(error, file.path) }
    }

    /// Opens a database that this access may not bring up to date.
    private func openUnchanged(
        _ queue: DatabaseQueue, _ age: DatabaseFile.Age, _ note: StoreCounter.Note?
    ) throws(StoreOpeningError) -> Opened {
        guard age == .unfinished else {
            throw StoreOpeningError(
                .unavailable,
                "\(file.path) was written by an earlier version of this program: start the kiosk once, which changes it"
            )
        }
        var opened = Opened(queue: queue, seal: nil)
        opened.health.lost = note?.count ?? 0
        return opened
    }

    /// - Throws: SQLite's `CORRUPT` when rows of identities are missing.
    private func checkedHeader(_ seal: RecordSeal, _ db: Database) throws -> StoreHeader {
        // Reads every column that is ever used, because a damaged name can still be repaired here.
        _ = try Row.fetchAll(db, sql: "SELECT header.id, key_check.id, key_check.sealed FROM header, key_check")
        let (header, rows) = (try StoreHeader.load(seal, db), try StoredRow.all(db).count)
        guard rows >= header.count else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "\(rows) of \(header.count) identities are there")
        }
        return header
    }

    /// Returns the key that the database is sealed with, or a new one for a new database.
    private func findKey(
        _ keys: KeyRing, _ queue: DatabaseQueue, _ age: DatabaseFile.Age
    ) throws(StoreOpeningError) -> SecretBytes {
        do {
            let check = try queue.read(StoreHeader.keyCheck)
            if let check, let found = keys.key(for: check) {
                guard age != .current || found.version == RecordSeal.versions.upperBound else { throw damagedCheck }
                return found.key
            }
            if check == nil, age != .current, let key = keys.key { return key }
            if check == nil, age == .unfinished { return try KeyFile(path: location.keyFile).create() }
            guard !keys.all.isEmpty else { throw missingKey }
            guard age == .current else { throw wrongKey }
            // The row that identifies the key may itself be damaged.
            let rows = try queue.read(StoredRow.all)
            let opens = rows.contains { row in keys.all.contains { row.record(RecordSeal(key: $0)) != nil } }
            throw opens || rows.isEmpty ? damagedCheck : wrongKey
        } catch { throw StoreOpeningError(error, file.path) }
    }

    private var missingKey: StoreOpeningError {
        StoreOpeningError(
            .keyMissing,
            "the key file \(location.keyFile) is missing, and the identities in \(file.path) cannot be read "
                + "without it: restore it, or move the database away to start again")
    }

    private var wrongKey: StoreOpeningError {
        StoreOpeningError(
            .wrongKey,
            "the key file \(location.keyFile) is not the one that \(file.path) was sealed with: restore it, or "
                + "move the database away to start again")
    }

    private var damagedCheck: StoreOpeningError {
        StoreOpeningError(.damaged, "\(file.path): the row that identifies its key was changed")
    }

    /// Compares the database with the last note outside of it.
    ///
    /// - Returns: the store's header from now on.
    private func compare(_ header: StoreHeader, _ note: StoreCounter.Note?) throws(StoreOpeningError) -> StoreHeader {
        guard let note, header.generation < note.generation else { return header }
        guard header.count == 0 || acceptsOlder else {
            throw StoreOpeningError.older(file.path, generation: header.generation, than: note.generation)
        }
        // An empty database in place of one with identities is a loss, not a danger.
        return StoreHeader(
            generation: note.generation + 1, highest: max(header.highest, note.highest), count: header.count,
            lost: acceptsOlder ? header.lost : header.lost + note.count)
    }

    private func refuseKeyBesideDatabase(_ keyDirectory: borrowing PrivateDirectory) throws(StoreOpeningError) {
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

extension StoreOpeningError {
    static func older(_ path: String, generation: Int, than noted: Int) -> StoreOpeningError {
        StoreOpeningError(
            .olderDatabase,
            "\(path) is an older database (change \(generation)) than the one that was last written here (change "
                + "\(noted)): put that one back, or if you restored it on purpose: "
                + "login-kiosk identities accept-restored"
        )
    }
}
