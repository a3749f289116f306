// SPDX-License-Identifier: Apache-2.0

import Encoding
import MPinClient

/// The context of sealed bytes: the format's version, their purpose, and their row.
struct SealContext {
    /// The row that identifies the database's key.
    static let keyCheck = SealContext(purpose: 0, place: [])
    /// The store's facts about itself: its ``StoreHeader``.
    static let header = SealContext(purpose: 2, place: [])

    let purpose: UInt8
    let place: [UInt8]

    /// - Parameter number: the identity's number; nil in the first version of the format, which left it out.
    static func record(of owner: IdentityKey, number: Int?) -> SealContext {
        // Each text is preceded by its length, so that no two owners make the same bytes.
        let texts = [owner.userID, owner.backend].reduce([]) { place, part in
            place + UInt32(part.utf8.count).bigEndianBytes + Array(part.utf8)
        }
        return SealContext(purpose: 1, place: texts + (number.map { UInt64($0).bigEndianBytes } ?? []))
    }
}
