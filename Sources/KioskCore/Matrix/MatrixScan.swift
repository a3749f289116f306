// SPDX-License-Identifier: Apache-2.0

/// One look at a matrix: which columns answered while each row was driven.
public struct MatrixScan: Hashable, Sendable {
    /// For each row a bit for each column, from the lowest.
    public var rows: [UInt64]

    public init(rows: [UInt64]) { self.rows = rows }

    /// Where a contact seems closed: keys that are down, and with three corners of a rectangle down, the fourth.
    var contacts: [MatrixPosition] {
        var contacts: [MatrixPosition] = []
        for row in rows.indices {
            var columns = rows[row]
            while columns != 0 {
                contacts.append(MatrixPosition(row: row, column: columns.trailingZeroBitCount))
                columns &= columns - 1
            }
        }
        return contacts
    }
}
