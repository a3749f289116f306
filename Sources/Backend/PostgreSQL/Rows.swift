// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// The server's answer to one call: rows of columns in binary format.
@safe public final class Rows: Sendable {
    // Safe to share: libpq no longer changes a result once it is read, and it lives as long as this object.
    private nonisolated(unsafe) let result: OpaquePointer

    init(owning result: OpaquePointer) { unsafe self.result = unsafe result }

    deinit { unsafe PQclear(result) }

    public var count: Int { unsafe Int(PQntuples(result)) }

    public var isEmpty: Bool { count == 0 }

    /// - Throws: `DatabaseFault.Kind.unexpected` for NULL and for another type, as all functions here.
    public func bytes(_ row: Int, _ column: Int) throws(DatabaseFault) -> [UInt8] {
        guard let bytes = bytesIfAny(row, column) else { throw Rows.unexpected(column) }
        return bytes
    }

    public func bytesIfAny(_ row: Int, _ column: Int) -> [UInt8]? {
        let (row, column) = (Int32(row), Int32(column))
        // Safe: libpq returns an empty value for a missing row or column. The bytes are copied at once.
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            return nil
        }
        let count = unsafe Int(PQgetlength(result, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    public func text(_ row: Int, _ column: Int) throws(DatabaseFault) -> String {
        guard let text = String(validating: try bytes(row, column), as: UTF8.self) else {
            throw Rows.unexpected(column)
        }
        return text
    }

    public func integer(_ row: Int, _ column: Int) throws(DatabaseFault) -> Int64 {
        guard let number = try integerIfAny(row, column) else { throw Rows.unexpected(column) }
        return number
    }

    public func integerIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> Int64? {
        guard let number = number(row, column) else { return nil }
        guard number.size == 8 else { throw Rows.unexpected(column) }
        return Int64(bitPattern: number.value)
    }

    public func boolean(_ row: Int, _ column: Int) throws(DatabaseFault) -> Bool {
        guard let number = number(row, column), number.size == 1 else { throw Rows.unexpected(column) }
        return number.value != 0
    }

    /// The last eight bytes of a value as one number, and the value's size in bytes; nil for NULL.
    private func number(_ row: Int, _ column: Int) -> (value: UInt64, size: Int)? {
        let (row, column) = (Int32(row), Int32(column))
        // Safe: as above; the bytes are read at once.
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        return (unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }, bytes.count)
    }

    private static func unexpected(_ column: Int) -> DatabaseFault {
        DatabaseFault(.unexpected, "the database's answer has another form than expected in column \(column + 1)")
    }
}
