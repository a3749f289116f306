// SPDX-License-Identifier: Apache-2.0

import GRDB
import LinuxSystem

/// The database as a file: made private, opened with the settings that the store relies on, moved aside when it cannot
/// be read.
struct DatabaseFile {
    let path: String

    /// Makes an empty file, which to SQLite is an empty database. SQLite gives its journal the same mode.
    func makeIfMissing() throws(StoreOpeningError) {
        do throws(FileFault) { try OwnedFile.create(path, with: []) } catch {
            throw StoreOpeningError(error, "the database")
        }
    }

    func requirePrivate() throws(StoreOpeningError) {
        do throws(FileFault) { try OwnedFile.check(path, .secret, followsLink: false) } catch {
            throw StoreOpeningError(error, "the database")
        }
    }

    /// Age of a database by its own list of migrations.
    enum Age { case unfinished, earlier, current }

    /// - Throws: `StoreOpeningError` with code `damaged` when the file is not a sound database.
    func open(readOnly: Bool) throws(StoreOpeningError) -> (queue: DatabaseQueue, age: Age) {
        do {
            do { return try connect(readOnly: readOnly) } catch let error as DatabaseError where readOnly {
                guard error.extendedResultCode == .SQLITE_READONLY_ROLLBACK else { throw error }
            }
            // A change was cut off, and only a connection that may write can undo it. Opening it does that and nothing
            // else.
            try connect(readOnly: false).queue.close()
            return try connect(readOnly: true)
        } catch { throw StoreOpeningError(error, path) }
    }

    private func connect(readOnly: Bool) throws -> (queue: DatabaseQueue, age: Age) {
        var configuration = Configuration()
        configuration.label = "identities"
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = false
        // Another process may be reading for a moment while this one writes.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try DatabaseFile.set(readOnly ? [] : DatabaseFile.promises, $0) }
        try requireKnownFormat()
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            guard findings == ["ok"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings.first) }
        }
        return (queue, try queue.read(age))
    }

    /// Opens the file so that SQLite reads what it can of a damaged list of tables. Writes nothing, except that it
    /// undoes a change that was cut off.
    func openDamaged() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "rescue"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase {
            try DatabaseFile.set([("query_only", "ON", "1"), ("writable_schema", "ON", "1")], $0)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Refuses a file of a later format. SQLite would open it for reading only, as on a read-only medium (SQLite file
    /// format, section 1.3.3).
    private func requireKnownFormat() throws {
        let file = try OpenedFile.open(path)
        var header = [UInt8](repeating: 0, count: 20)
        // A shorter one is empty, or no database to SQLite.
        guard file.size >= header.count else { return }
        var bytes = header.mutableSpan
        try file.read(into: &bytes)
        guard header.dropFirst(18).allSatisfy({ $0 <= 2 }) else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "the header names a format that was never written")
        }
    }

    private func age(_ db: Database) throws -> Age {
        let migrator = Schema.migrator()
        let applied = try migrator.appliedIdentifiers(db)
        let known = migrator.migrations
        if applied.isSubset(of: known) {
            guard applied == Set(known.prefix(applied.count)) else { throw DatabaseFile.mixedUp }
            if applied.isEmpty, try db.tableExists("identity") { throw DatabaseFile.mixedUp }
            guard applied.count < known.count else { return .current }
            let isBegun = try applied.isEmpty ? false : !StoreHeader.isUntouched(db)
            return isBegun ? .earlier : .unfinished
        }
        // A later version has all migrations of this one. A damaged name hides one of them.
        guard applied.isSuperset(of: known) else { throw DatabaseFile.mixedUp }
        throw StoreOpeningError(
            .newerSchema, "\(path) was written by a later version of this program: install that version")
    }

    private static let mixedUp = DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "the list of migrations is not what was written")

    /// Settings, each with the answer that SQLite must give.
    ///
    /// A rollback journal, not a write-ahead log: writes are rare, and the database stays one file that can be read by
    /// other processes and from read-only media. Content that `secure_delete` overwrites has no second copy that waits
    /// for a checkpoint. `EXTRA` is `FULL` and makes the journal's removal, which is the commit, durable as well.
    private static let promises = [
        ("journal_mode", "DELETE", "delete"), ("synchronous", "EXTRA", "3"), ("secure_delete", "ON", "1"),
        ("temp_store", "MEMORY", "2"),
    ]

    /// Makes a change that overwrites the database's pages, with its journal in memory. On a full disk there is no
    /// room for a journal file, and a secret that has to go would stay. A power cut during the change may damage the
    /// database, whose other rows are then rescued.
    static func overwriting<Value>(_ db: Database, _ change: () throws -> Value) throws -> Value {
        try set([("journal_mode", "MEMORY", "memory")], db)
        let result = Result { try change() }
        try set(promises, db)
        return try result.get()
    }

    private static func set(_ settings: [(name: String, value: String, answer: String)], _ db: Database) throws {
        for setting in settings {
            // Some settings return rows and others do not.
            _ = try Row.fetchAll(db, sql: "PRAGMA \(setting.name) = \(setting.value)")
            let answer = try String.fetchOne(db, sql: "PRAGMA \(setting.name)")
            guard answer == setting.answer else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE,
                    message: "SQLite answers \(setting.name) = \(answer ?? "nothing") where \(setting.answer) was asked"
                )
            }
        }
    }
}
