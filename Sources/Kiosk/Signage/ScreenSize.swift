// SPDX-License-Identifier: Apache-2.0

/// Columns and rows of a terminal.
public struct ScreenSize: Sendable, Hashable {
    public var columns: Int
    public var rows: Int

    /// The size of a terminal that does not report one.
    public static let standard = ScreenSize(columns: 80, rows: 24)

    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
