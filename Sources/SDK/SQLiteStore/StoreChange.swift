// SPDX-License-Identifier: Apache-2.0

import GRDB

/// One transaction on a store. It saves the header, too.
struct StoreChange<Value: Sendable>: Sendable {
    typealias Body = @Sendable (Database, RecordSeal, inout StoreHeader) throws -> Value

    let seal: RecordSeal
    /// Whether the change removes something, so that a full disk must not stop it.
    let removes: @Sendable (Database, RecordSeal) throws -> Bool
    let body: Body

    /// - Returns: the value of the body, and the header that was saved.
    func perform(_ db: Database) throws -> (value: Value, header: StoreHeader) {
        do { return try commit(db) } catch let error as DatabaseError {
            guard error.resultCode == .SQLITE_FULL, try removes(db, seal) else { throw error }
            return try DatabaseFile.overwriting(db) { try commit(db) }
        }
    }

    private func commit(_ db: Database) throws -> (value: Value, header: StoreHeader) {
        var changed: (Value, StoreHeader)?
        try db.inTransaction(.immediate) {
            var header = try StoreHeader.load(seal, db)
            let value = try body(db, seal, &header)
            header.generation += 1
            header.count = try Int.fetchOne(db, sql: "SELECT count(*) FROM identity") ?? 0
            try header.save(seal, db)
            changed = (value, header)
            return .commit
        }
        guard let changed else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return changed
    }
}
