// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The lines of a pad.
public struct MatrixBanks<Bank: LineBank & ~Copyable>: ~Copyable {
    var rows: Bank
    var columns: Bank

    public init(rows: consuming Bank, columns: consuming Bank) {
        self.rows = rows
        self.columns = columns
    }
}
