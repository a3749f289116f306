// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import PersonalCards
import PostgreSQL
import Sealing

/// One identity as the database has it.
///
/// The database learns how many there are, how long each is and when it changes; neither whose it is nor where. What is
/// sealed is tied to its name, number and version: moved to another row, or given another version, it does not open.
struct IdentityRow: Equatable {
    /// HMAC-SHA-256 of the identity's key under the fleet's, 32 bytes.
    let name: [UInt8]
    let number: Int
    /// Which change of the whole database this row is of.
    let version: Int
    let sealed: [UInt8]

    static let nameLength = 32
    private static let purpose = Array("LOGIN-KIOSK-IDENTITY:1:".utf8)

    /// - Returns: nil when OpenSSL could not do it.
    static func name(of key: IdentityKey, _ fleet: FleetKey) -> [UInt8]? {
        fleet.names.derivedKey(for: "\(key.userID.utf8.count) \(key.userID)\(key.backend)").map { name in
            name.withBytes { name in name.indices.map { name[$0] } }
        }
    }

    /// Seals an identity for one place.
    init?(_ identity: StoredIdentity, name: [UInt8], number: Int, version: Int, _ fleet: FleetKey) {
        guard let plain = identity.inOnePiece(),
            let sealed = fleet.records.seal(plain, context: IdentityRow.context(name, number, version))
        else { return nil }
        self.init(name: name, number: number, version: version, sealed: sealed)
    }

    init(name: [UInt8], number: Int, version: Int, sealed: [UInt8]) {
        (self.name, self.number, self.version, self.sealed) = (name, number, version, sealed)
    }

    /// Columns `first` and up of the answer: name, number, version, sealed.
    init(_ rows: Rows, _ row: Int, from first: Int = 0) throws(DatabaseFault) {
        self.init(
            name: try rows.bytes(row, first), number: try rows.count(row, first + 1),
            version: try rows.count(row, first + 2), sealed: try rows.bytes(row, first + 3))
    }

    /// - Returns: nil for what was not sealed with this fleet's key for this place.
    func identity(_ fleet: FleetKey) -> StoredIdentity? {
        let context = IdentityRow.context(name, number, version)
        guard let plain = fleet.records.open(sealed[...], context: context),
            let identity = plain.withBytes({ StoredIdentity(inOnePiece: $0, number: number, version: version) }),
            IdentityRow.name(of: identity.key, fleet) == name
        else { return nil }
        return identity
    }

    private static func context(_ name: [UInt8], _ number: Int, _ version: Int) -> [UInt8] {
        purpose + name
            + [number, version].flatMap { value in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
            }
    }
}

extension Rows {
    /// A number that this program may have written: more than it counts in any life is another one's doing.
    func count(_ row: Int, _ column: Int) throws(DatabaseFault) -> Int {
        let value = try integer(row, column)
        guard (0..<1 << 53).contains(value) else {
            throw DatabaseFault(.unexpected, "the database counts to \(value), which no kiosk has done")
        }
        return Int(value)
    }
}
