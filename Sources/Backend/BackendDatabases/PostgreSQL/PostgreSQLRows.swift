// SPDX-License-Identifier: Apache-2.0

import BackendValues
import MPinCrypto
import MPinServer
import PostgreSQL

// Identities and registrations as rows of PostgreSQL.

extension RegisteredIdentity {
    private static let columnNames = [
        "mpin_id", "user_id", "registered", "public_key", "next_public_key", "replaces", "needs_renewal", "failures",
        "last_failure", "begun_forgotten", "verdicts", "last_login", "recent_failures", "revoked", "card_issued",
        "card_ends", "claim", "claim_ends",
    ]
    static let columns = columnNames.joined(separator: ", ")
    /// `$1` and so on, one for each column.
    static let placeholders = (1...columnNames.count).map { "$\($0)" }.joined(separator: ", ")

    /// The values in the order of the columns.
    var parameters: [Parameter] {
        [
            .bytes(mpinID.bytes), .text(userID), .time(registered), .bytes(publicKey), .bytes(nextPublicKey),
            .bytes(replaces?.bytes), .boolean(needsRenewal), .integer(failures), .time(lastFailure),
            .time(begunForgotten), .integer(verdicts), .time(lastLogin), .bytes(recentFailures.bytes), .time(revoked),
            .time(card?.issued), .time(card?.ends), .integer(lease.map { Int64(bitPattern: $0.number) }),
            .time(lease?.ends),
        ]
    }
}

extension Registration {
    static let columns = "mpin_id, user_id, mobile, reg_ott_digest, activate_key_digest, active, expires"

    /// The values in the order of the columns.
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
    func identities() throws(DatabaseFault) -> [RegisteredIdentity] {
        try map { row throws(DatabaseFault) in
            var identity = RegisteredIdentity(
                mpinID: MPinID(try bytes(row, 0)), userID: try text(row, 1), registered: try time(row, 2),
                publicKey: bytesIfAny(row, 3), nextPublicKey: bytesIfAny(row, 4),
                replaces: bytesIfAny(row, 5).map { MPinID($0) }, needsRenewal: try boolean(row, 6),
                failures: try integer(row, 7), lastFailure: try timeIfAny(row, 8),
                begunForgotten: try timeIfAny(row, 9), verdicts: try integer(row, 10),
                recentFailures: RecentFailures(bytes: try bytes(row, 12)), lastLogin: try timeIfAny(row, 11),
                revoked: try timeIfAny(row, 13))
            if let issued = try timeIfAny(row, 14), let ends = try timeIfAny(row, 15) {
                identity.card = StoredCard(issued: issued, ends: ends)
            }
            if let number = try integerIfAny(row, 16), let ends = try timeIfAny(row, 17) {
                identity.lease = LoginLease(number: UInt64(bitPattern: number), ends: ends)
            }
            return identity
        }
    }

    func registrations() throws(DatabaseFault) -> [Registration] {
        try map { row throws(DatabaseFault) in
            Registration(
                mpinID: MPinID(try bytes(row, 0)), userID: try text(row, 1), mobile: try integer(row, 2),
                regOTTDigest: try bytes(row, 3), activateKeyDigest: try bytes(row, 4), active: try boolean(row, 5),
                expires: try time(row, 6))
        }
    }

    func time(_ row: Int, _ column: Int) throws(DatabaseFault) -> WallTime {
        WallTime(milliseconds: try integer(row, column))
    }

    func timeIfAny(_ row: Int, _ column: Int) throws(DatabaseFault) -> WallTime? {
        try integerIfAny(row, column).map { WallTime(milliseconds: $0) }
    }

    /// A count in the only row.
    func count(_ column: Int) throws(DatabaseFault) -> Int { Int(try integer(0, column)) }

    func map<Value>(_ body: (Int) throws(DatabaseFault) -> Value) throws(DatabaseFault) -> [Value] {
        var values: [Value] = []
        for row in 0..<count { values.append(try body(row)) }
        return values
    }
}

extension Database {
    /// Runs one call, which is one transaction.
    nonisolated(nonsending) func answer<Value>(
        to call: Call, _ read: (Rows) throws(DatabaseFault) -> Value
    ) async throws(StorageError) -> Value {
        do throws(DatabaseFault) { return try read(try await run(call)) } catch { throw StorageError(error) }
    }

    /// Runs several calls in one transaction.
    nonisolated(nonsending) func answers<Value>(
        to calls: [Call], _ read: ([Rows]) throws(DatabaseFault) -> Value
    ) async throws(StorageError) -> Value {
        do throws(DatabaseFault) { return try read(try await run(calls)) } catch { throw StorageError(error) }
    }

    /// Runs a transaction of several round trips.
    nonisolated(nonsending) func change<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws(DatabaseFault) -> Value
    ) async throws(StorageError) -> Value {
        do throws(DatabaseFault) { return try await transaction(body) } catch { throw StorageError(error) }
    }
}

extension StorageError {
    init(_ fault: DatabaseFault) { self.init(reason: fault.problem) }
}
