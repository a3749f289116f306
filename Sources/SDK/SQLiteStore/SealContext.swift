// SPDX-License-Identifier: Apache-2.0

import MPinClient

/// Context that sealed bytes are tied to: the format's version, their purpose, and where they belong.
struct SealContext {
    /// The row that tells whether a key is the database's.
    static let keyCheck = SealContext(purpose: 0, place: [])
    /// The store's facts about itself: its ``StoreHeader``.
    static let header = SealContext(purpose: 2, place: [])

    let purpose: UInt8
    let place: [UInt8]

    /// - Parameter number: of the identity; nil in the first version of the format, which did not tie it.
    static func record(of owner: IdentityKey, number: Int?) -> SealContext {
        // Each text has its length in front, so that no two owners make the same bytes.
        let texts = [owner.userID, owner.backend].reduce([]) { place, part in
            place + bigEndian(UInt32(part.utf8.count)) + Array(part.utf8)
        }
        return SealContext(purpose: 1, place: texts + (number.map { bigEndian(UInt64($0)) } ?? []))
    }

    static func bigEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        stride(from: Integer.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> Integer($0)) }
    }
}
