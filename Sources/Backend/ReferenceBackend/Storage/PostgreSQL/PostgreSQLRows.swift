// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import PostgreSQL

// How PostgreSQL keeps identities and registrations.

extension RegisteredIdentity {
    private static let columnNames = [
        "mpin_id", "user_id", "registered", "public_key", "next_public_key", "replaces", "needs_renewal", "failures",
        "last_failure", "begun_forgotten", "verdicts", "last_login", "recent_failures",
    ]
    static let columns = columnNames.joined(separator: ", ")
    static let columnCount = columnNames.count
    /// `$1` and so on, one for each.
    static let placeholders = (1...columnCount).map { "$\($0)" }.joined(separator: ", ")
    /// Of a function's answer that is an identity. Not `(known).*`: a later version adds columns, and a statement that
    /// this one has prepared must go on meaning the same.
    static let knownColumns = columnNames.map { "(known).\($0)" }.joined(separator: ", ")

    /// In that order.
    var parameters: [Parameter] {
        [
            .bytes(mpinID.bytes), .text(userID), .time(registered), .bytes(publicKey), .bytes(nextPublicKey),
            .bytes(replaces?.bytes), .boolean(needsRenewal), .integer(failures), .time(lastFailure),
            .time(begunForgotten), .integer(verdicts), .time(lastLogin), .bytes(recentFailures.bytes),
        ]
    }
}

extension Registration {
    static let columns = "mpin_id, user_id, mobile, reg_ott_digest, activate_key_digest, active, expires"

    /// In that order.
    var parameters: [Parameter] {
        [
            .bytes(mpinID.bytes), .text(userID), .integer(mobile), .bytes(regOTTDigest), .bytes(activateKeyDigest),
            .boolean(active), .time(expires),
        ]
    }
}

extension Parameter {
    static func time(_ time: WallTime?) -> Parameter { .integer(time?.milliseconds) }
}

extension Rows {
    /// - Parameter first: the column that an identity's begin with.
    func identities(from first: Int = 0) throws(StorageError) -> [RegisteredIdentity] {
        try read { row throws(DatabaseFault) in
            RegisteredIdentity(
                mpinID: MPinID(try bytes(row, first)), userID: try text(row, first + 1),
                registered: WallTime(milliseconds: try integer(row, first + 2)),
                publicKey: bytesIfAny(row, first + 3), nextPublicKey: bytesIfAny(row, first + 4),
                replaces: bytesIfAny(row, first + 5).map { MPinID($0) }, needsRenewal: try boolean(row, first + 6),
                failures: try integer(row, first + 7), lastFailure: try timeIfAny(row, first + 8),
                begunForgotten: try timeIfAny(row, first + 9), verdicts: try integer(row, first + 10),
                recentFailures: RecentFailures(bytes: try bytes(row, first + 12)),
                lastLogin: try timeIfAny(row, first + 11))
        }
    }

    func registrations() throws(StorageError) -> [Registration] {
        try read { row throws(DatabaseFault) in
            Registration(
                mpinID: MPinID(try bytes(row, 0)), userID: try text(row, 1), mobile: try integer(row, 2),
                regOTTDigest: try bytes(row, 3), activateKeyDigest: try bytes(row, 4), active: try boolean(row, 5),
                expires: WallTime(milliseconds: try integer(row, 6)))
        }
    }

    /// Of a column of all rows.
    func flags(_ column: Int = 0) throws(StorageError) -> [Bool] {
        try read { row throws(DatabaseFault) in try boolean(row, column) }
    }

    /// Of the only row and its first column.
    func flag() throws(StorageError) -> Bool { try flags().first ?? false }

    /// Of the only row.
    func count(_ column: Int) throws(StorageError) -> Int {
        try read { row throws(DatabaseFault) in Int(try integer(row, column)) }.first ?? 0
    }

    func timeIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> WallTime? {
        try integerIfAny(row, column).map { WallTime(milliseconds: $0) }
    }

    func read<Value>(_ body: (Int) throws(DatabaseFault) -> Value) throws(StorageError) -> [Value] {
        var values: [Value] = []
        do throws(DatabaseFault) {
            for row in 0..<count { values.append(try body(row)) }
        } catch {
            throw StorageError(error)
        }
        return values
    }
}

extension Database {
    /// One call, which is one transaction.
    nonisolated(nonsending) func rows(_ call: Call) async throws(StorageError) -> Rows {
        do throws(DatabaseFault) { return try await run(call) } catch { throw StorageError(error) }
    }

    /// Several calls in one transaction.
    nonisolated(nonsending) func allRows(_ calls: [Call]) async throws(StorageError) -> [Rows] {
        do throws(DatabaseFault) { return try await transaction(calls) } catch { throw StorageError(error) }
    }
}

extension StorageError {
    init(_ fault: DatabaseFault) { self.init(reason: fault.problem) }
}
