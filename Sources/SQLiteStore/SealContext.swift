// SPDX-License-Identifier: Apache-2.0

import MPinClient

/// What sealed bytes are tied to: the format's version, their purpose, and whose they are.
enum SealContext {
    /// The row that tells whether a key is the database's.
    static let keyCheck: [UInt8] = [RecordSeal.version, 0]

    static func record(of owner: IdentityKey) -> [UInt8] {
        // Each part has its length in front, so that no two owners make the same bytes.
        [owner.userID, owner.backend].reduce([RecordSeal.version, 1]) { context, part in
            let length = UInt32(part.utf8.count)
            return context + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + Array(part.utf8)
        }
    }
}
