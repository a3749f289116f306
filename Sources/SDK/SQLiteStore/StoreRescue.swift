// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import LoginValues
import MPinClient

/// Copies the readable rows of a damaged database into a new one.
struct StoreRescue {
    let location: StoreLocation
    /// The last note outside the database.
    let note: StoreCounter.Note?
    let acceptsOlder: Bool

    /// The ids to look for: more than a device with a keypad ever uses.
    private static let ids = 0..<1 << 20
    /// The greatest number of queries. A damaged page costs about fifty; one that leads to all others would cost
    /// millions.
    private static let queryLimit = 2000

    struct Found {
        let rows: [UnsealedRow]
        let seal: RecordSeal
        /// The header of the new database.
        var header: StoreHeader
    }

    private var file: DatabaseFile { DatabaseFile(path: location.database) }

    /// - Throws: `keyMissing`, and `olderDatabase` when the database is both damaged and older than the note.
    func find() throws(StoreOpeningError) -> Found {
        let keys = try KeyRing(at: location)
        guard !keys.all.isEmpty else {
            throw StoreOpeningError(
                .keyMissing,
                "\(file.path) is damaged, and without the key file \(location.keyFile), which is missing, nothing "
                    + "of it can be rescued: restore the key, or move the database away to start again")
        }
        let (rows, header) = try read()
        let found = keys.all.map { find(in: rows, header, $0) }.max { $0.rows.count < $1.rows.count }
        guard let found else { throw StoreOpeningError(.damaged, "\(file.path) is damaged") }
        if let note, found.header.generation < note.generation, found.header.generation > 0, !found.rows.isEmpty,
            !acceptsOlder
        {
            throw StoreOpeningError.older(file.path, generation: found.header.generation, than: note.generation)
        }
        return renewed(found)
    }

    private func find(in rows: [StoredRow], _ sealedHeader: [UInt8]?, _ key: SecretBytes) -> Found {
        let seal = RecordSeal(key: key)
        // The format without numbers is accepted only if nothing newer was ever written. Otherwise an old row could be
        // passed off under any number.
        let legacy = note == nil ? RecordSeal(key: key, version: 1) : nil
        let header = sealedHeader.flatMap { StoreHeader($0, seal) }
        var current: [IdentityKey: (id: Int, content: UnsealedRow)] = [:]
        var earlier = current
        for row in rows {
            if let content = row.unsealed(seal) {
                current[row.key] = (row.id, content)
            } else if let legacy, let content = row.unsealed(legacy) {
                earlier[row.key] = (row.id, content)
            }
        }
        let found = current.isEmpty && header == nil ? earlier : current
        return Found(
            rows: found.values.sorted { $0.id < $1.id }.map(\.content), seal: seal,
            header: header ?? StoreHeader(generation: 0, highest: 0, count: 0, lost: 0))
    }

    /// Returns the found rows with the first header of the new database.
    private func renewed(_ found: Found) -> Found {
        var found = found
        let old = found.header
        let isCurrent = acceptsOlder || old.generation >= note?.generation ?? 0
        // A database whose header was lost has generation 0.
        let expected = old.generation > 0 && isCurrent ? old.count : note?.count
        found.header = StoreHeader(
            generation: max(old.generation, note?.generation ?? 0) + 1,
            highest: ([old.highest, note?.highest ?? 0] + found.rows.map(\.number)).max() ?? 0,
            count: found.rows.count, lost: old.lost + max(0, (expected ?? 0) - found.rows.count))
        return found
    }

    /// Reads the rows of identities and the sealed header, as far as SQLite can.
    ///
    /// - Throws: `unavailable` for an error of the medium, which is not damage.
    private func read() throws(StoreOpeningError) -> (rows: [StoredRow], header: [UInt8]?) {
        do {
            let content = try unlessDamaged {
                let queue = try file.openDamaged()
                defer { try? queue.close() }
                return try queue.inDatabase(read)
            }
            return content ?? ([], nil)
        } catch { throw StoreOpeningError(error, file.path) }
    }

    private func read(_ db: Database) throws -> (rows: [StoredRow], header: [UInt8]?) {
        let header = try unlessDamaged { try StoreHeader.sealed(db) } ?? nil
        // Not by the index, which may be damaged. Version 1 of the table has no numbers.
        let statement = try unlessDamaged {
            try db.makeStatement(
                sql: "SELECT * FROM identity NOT INDEXED WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?")
        }
        guard let statement else { return ([], header) }
        var queries = StoreRescue.queryLimit
        return (try rows(StoreRescue.ids, statement, &queries), header)
    }

    /// Reads a range of rows. If SQLite finds damage in it, reads each half by itself, down to single rows.
    private func rows(_ ids: Range<Int>, _ statement: Statement, _ queries: inout Int) throws -> [StoredRow] {
        guard queries > 0 else { return [] }
        queries -= 1
        // The limit keeps SQLite from reading the page behind the last row.
        let found = try unlessDamaged {
            try Row.fetchAll(statement, arguments: [ids.lowerBound, ids.upperBound, ids.count])
        }
        if let found { return found.compactMap(StoredRow.init) }
        guard ids.count > 1 else { return [] }
        let middle = ids.lowerBound + ids.count / 2
        let lower = try rows(ids.lowerBound..<middle, statement, &queries)
        return try lower + rows(middle..<ids.upperBound, statement, &queries)
    }

    /// - Returns: nil when SQLite finds damage.
    private func unlessDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
        do { return try body() } catch  where StoreFailure(error).code == .damaged { return nil }
    }

    /// - Returns: the damaged file's new path.
    func replaceDatabase(
        with found: Found, in directory: borrowing PrivateDirectory
    ) throws(StoreOpeningError) -> String {
        let rescued = DatabaseFile(path: file.path + ".rescued")
        // Rows without numbers get the next ones, in their order.
        var (header, rows) = (found.header, found.rows)
        var highest = rows.map(\.number).max() ?? 0
        for index in rows.indices where rows[index].number <= 0 {
            highest += 1
            rows[index].number = highest
        }
        header.highest = max(header.highest, highest)
        do { try rescued.make(with: rows, header, found.seal) } catch {
            throw StoreOpeningError(error, rescued.path)
        }
        return try file.replace(with: rescued.path, Date(), in: directory)
    }
}
