// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Glibc
import LinuxSystem
import MPinClient

/// The database as a file: made private, opened with the settings that the store's promises rest on, moved aside when it
/// is beyond reading.
struct DatabaseFile {
    let path: String

    /// Makes an empty file, which to SQLite is an empty database. SQLite gives its journal the same mode.
    func makeIfMissing(in directory: borrowing PrivateDirectory) throws(StoreOpeningError) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // On a read-only medium the answer is not EEXIST.
            if unsafe access(path, F_OK) == 0 { return }
            throw StoreOpeningError(.unavailable, "the database \(path) cannot be made: \(systemErrorText())")
        }
        defer { close(descriptor) }
        // Whatever the umask took away.
        _ = fchmod(descriptor, 0o600)
        try directory.sync()
    }

    func requirePrivate() throws(StoreOpeningError) {
        do throws(FileFault) { try OwnedFile.judge(path, .secret, followsLink: false) } catch {
            throw StoreOpeningError(error, "the database")
        }
    }

    /// - Throws: `StoreOpeningError` with code `damaged` when the file is no sound database.
    func open(readOnly: Bool) throws(StoreOpeningError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "identities"
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = false
        // Another process may read for a moment while this one writes.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try DatabaseFile.set(readOnly ? [] : DatabaseFile.promises, $0) }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.inDatabase { db in
                let findings = try String.fetchAll(db, sql: "PRAGMA integrity_check")
                guard findings == ["ok"] else {
                    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: findings.first)
                }
            }
            if try queue.read(Schema.migrator.hasBeenSuperseded) {
                throw StoreOpeningError(
                    .newerSchema, "\(path) was written by a later version of this program: install that version")
            }
            // Asked first, because migrating is writing even when there is nothing to do.
            if try !queue.read(Schema.migrator.hasCompletedMigrations) {
                guard !readOnly else {
                    throw StoreOpeningError(
                        .unavailable,
                        "\(path) was written by an earlier version of this program: start the kiosk once, which changes it"
                    )
                }
                try Schema.migrator.migrate(queue)
            }
            return queue
        } catch let error as StoreOpeningError {
            throw error
        } catch {
            let isDamaged = StoreFailure(error).code == .damaged
            throw StoreOpeningError(isDamaged ? .damaged : .unavailable, "\(path): \(StoreFailure(error).detail)")
        }
    }

    /// Settings, each with the value that SQLite must answer with.
    ///
    /// A rollback journal and not a write-ahead log: writes are rare, the database stays one file that can be read on a
    /// read-only medium and by another process, and what `secure_delete` overwrites has no second copy that waits for a
    /// checkpoint. `EXTRA` is `FULL` and makes the journal's removal, which is the commit, durable as well.
    private static let promises = [
        ("journal_mode", "DELETE", "delete"), ("synchronous", "EXTRA", "3"), ("secure_delete", "ON", "1"),
        ("temp_store", "MEMORY", "2"),
    ]

    private static func set(_ settings: [(name: String, value: String, answer: String)], _ db: Database) throws {
        for setting in settings {
            // Rows come back from some settings and not from others.
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

    /// Renames the database and its journal.
    ///
    /// - Parameter date: becomes part of the name.
    /// - Returns: the new path.
    func moveAside(_ date: Date, in directory: borrowing PrivateDirectory) throws(StoreOpeningError) -> String {
        let time = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var target = "\(path).damaged-\(time)"
        var number = 2
        while unsafe access(target, F_OK) == 0 {
            target = "\(path).damaged-\(time)-\(number)"
            number += 1
        }
        guard unsafe rename(path, target) == 0 else {
            throw StoreOpeningError(
                .unavailable, "the damaged database \(path) cannot be moved aside: \(systemErrorText())")
        }
        // A journal left behind would be played into the new database.
        if unsafe rename("\(path)-journal", "\(target)-journal") != 0, errno != ENOENT {
            throw StoreOpeningError(
                .unavailable, "the journal of the damaged database \(path) cannot be moved: \(systemErrorText())")
        }
        try directory.sync()
        return target
    }
}
