// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import Glibc
import LinuxSystem
import LoginValues
import MPinClient

/// Carries what can be read of a damaged database into a new one.
struct StoreRescue {
    let location: StoreLocation
    /// What was last noted outside the database.
    let note: StoreCounter.Note?
    let acceptsOlder: Bool

    /// Bytes: larger than any database of a device with a keypad. What lies behind is not looked at.
    static let longestFile = 256 * 1024 * 1024

    struct Found {
        var rows: [(row: StoredRow, record: SecretBytes)]
        let seal: RecordSeal
        /// Of the new database.
        var book: StoreBook
    }

    private var file: DatabaseFile { DatabaseFile(path: location.databaseFile) }

    /// - Throws: `keyMissing`, and `olderDatabase` when the database is both damaged and older than what was noted.
    func find() throws(StoreOpeningError) -> Found {
        let keys = try KeyRing(at: location)
        guard !keys.all.isEmpty else {
            throw StoreOpeningError(
                .keyMissing,
                "\(file.path) is damaged, and without the key file \(location.keyFile), which is missing, nothing "
                    + "of it can be rescued: restore the key, or move the database away to begin anew")
        }
        let pages = DatabasePages(bytes: try read())
        let found = keys.all.map { find(in: pages, $0) }.max { $0.rows.count < $1.rows.count }
        guard let found else { throw StoreOpeningError(.damaged, "\(file.path) is damaged") }
        if let note, found.book.generation < note.generation, found.book.generation > 0, !found.rows.isEmpty,
            !acceptsOlder
        {
            throw StoreOpeningError.older(file.path, generation: found.book.generation, than: note.generation)
        }
        return renewed(found)
    }

    private func find(in pages: DatabasePages, _ key: SecretBytes) -> Found {
        let seal = RecordSeal(key: key)
        // The format without numbers counts only where nothing newer was ever written: else an old row could be passed
        // off under any number.
        let legacy = note == nil ? RecordSeal(key: key, version: 1) : nil
        var book: StoreBook?
        var found: [IdentityKey: (row: StoredRow, record: SecretBytes)] = [:]
        var old = found
        pages.forEachRow { id, columns in
            if columns.count == 2, case .bytes(let sealed) = columns[1], let candidate = StoreBook(sealed, seal) {
                book = candidate
            }
            guard let row = StoredRow(id: id, columns: columns) else { return }
            if let record = row.record(seal) {
                found[row.key] = (row, record)
            } else if let legacy, let record = row.record(legacy) {
                old[row.key] = (row, record)
            }
        }
        if found.isEmpty, book == nil { found = old }
        return Found(
            rows: found.values.sorted { $0.row.id < $1.row.id }, seal: seal,
            book: book ?? StoreBook(generation: 0, highest: 0, count: 0, lost: 0))
    }

    /// What is found, with the book that the new database begins with.
    private func renewed(_ found: Found) -> Found {
        var found = found
        let old = found.book
        let isOlder = acceptsOlder && old.generation > 0
        let expected =
            old.generation > 0 && (isOlder || old.generation >= note?.generation ?? 0) ? old.count : note?.count
        found.book = StoreBook(
            generation: max(old.generation, note?.generation ?? 0) + 1,
            highest: ([old.highest, note?.highest ?? 0] + found.rows.map(\.row.number)).max() ?? 0,
            count: found.rows.count, lost: old.lost + max(0, (expected ?? 0) - found.rows.count))
        return found
    }

    private func read() throws(StoreOpeningError) -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
            defer { try? handle.close() }
            return Array(try handle.read(upToCount: StoreRescue.longestFile) ?? Data())
        } catch {
            throw StoreOpeningError(.unavailable, "the damaged database \(file.path) cannot be read: \(error)")
        }
    }

    /// - Returns: the damaged file's new path.
    func replaceDatabase(
        with found: Found, in directory: borrowing PrivateDirectory
    ) throws(StoreOpeningError) -> String {
        let rescued = file.path + ".rescued"
        // What had no number gets the next ones, in the order of the rows.
        var (book, rows) = (found.book, found.rows.map { (key: $0.row.key, number: $0.row.number, record: $0.record) })
        var highest = rows.map(\.number).max() ?? 0
        for index in rows.indices where rows[index].number <= 0 {
            highest += 1
            rows[index].number = highest
        }
        book.highest = max(book.highest, highest)
        do { try DatabaseFile.make(rescued, rows, book, found.seal, in: directory) } catch {
            throw StoreOpeningError(error, rescued)
        }
        return try file.replace(with: rescued, Date(), in: directory)
    }
}
