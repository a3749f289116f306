// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Glibc
import LinuxSystem

extension DatabaseFile {
    /// Makes a new database with these rows, in this order.
    func make(with rows: [UnsealedRow], _ header: StoreHeader, _ seal: RecordSeal) throws {
        // Left over by a power cut.
        StoreLocation.removeDatabase(path)
        try makeIfMissing()
        let queue = try open(readOnly: false).queue
        try Schema.migrator(seal, legacy: seal).migrate(queue)
        try queue.write { db in
            for row in rows { try row.save(replacing: nil, seal, db) }
            try header.save(seal, db)
        }
        try queue.close()
    }

    /// Replaces the database atomically and durably with another file, which must be complete and on the disk. The
    /// damaged one gets a name with a time.
    ///
    /// - Returns: the damaged file's new path.
    func replace(with rescued: String, _ date: Date, in directory: borrowing PrivateDirectory)
        throws(StoreOpeningError) -> String
    {
        let time = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        var target = "\(path)\(DatabaseFile.aside)\(time)"
        var number = 2
        while unsafe access(target, F_OK) == 0 {
            target = "\(path)\(DatabaseFile.aside)\(time)-\(number)"
            number += 1
        }
        // SQLite would apply a leftover journal to the new database.
        if unsafe rename("\(path)-journal", "\(target)-journal") != 0, errno != ENOENT {
            throw StoreOpeningError(
                .unavailable, "the journal of the damaged database \(path) cannot be moved: \(systemErrorText())")
        }
        // A hard link first, so that there is a database whenever the process ends. Not every file system has hard
        // links.
        guard unsafe link(path, target) == 0 || rename(path, target) == 0,
            unsafe chmod(target, 0o600) == 0, unsafe rename(rescued, path) == 0
        else {
            throw StoreOpeningError(
                .unavailable, "the damaged database \(path) cannot be replaced: \(systemErrorText())")
        }
        try directory.sync()
        removeOldest(keeping: target)
        return target
    }

    private static let aside = ".damaged-"
    /// The number of damaged databases to keep.
    static let asideCapacity = 5

    private func removeOldest(keeping newest: String) {
        let parent = PrivateDirectory.parent(of: path)
        let beginning = path.dropFirst(parent.count + 1) + DatabaseFile.aside
        // Their names sort by time.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).filter {
            $0.hasPrefix(beginning) && !$0.hasSuffix("-journal") && !newest.hasSuffix($0)
        }
        let oldestFirst = names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        for name in oldestFirst.dropLast(DatabaseFile.asideCapacity - 1) {
            unsafe unlink("\(parent)/\(name)")
            unsafe unlink("\(parent)/\(name)-journal")
        }
    }
}
