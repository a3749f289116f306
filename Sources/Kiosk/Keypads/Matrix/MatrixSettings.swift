// SPDX-License-Identifier: Apache-2.0

public import GPIO
public import KioskPorts

/// A pad at GPIO lines, with the use of each line.
public struct MatrixSettings: Hashable, Sendable {
    public static let settleRange = Duration.microseconds(10)...Duration.milliseconds(5)
    public static let usualSettle = Duration.microseconds(200)

    public let chip: ChipAddress
    /// One for each row and column of the layout, from the upper left.
    public let rows: [LineAddress]
    public let columns: [LineAddress]
    public let layout: MatrixLayout
    /// Whether a pressed key pulls its column low against a pull-up. Pads without diodes work either way.
    public let isActiveLow: Bool
    public let drive: RowDrive
    /// The time that a column takes to follow its row, within ``settleRange``: more with long cables.
    public let settle: Duration

    /// - Returns: nil when the lines do not fit the layout, one is named twice, or the time is out of range.
    public init?(
        chip: ChipAddress = .usual, rows: [LineAddress], columns: [LineAddress], layout: MatrixLayout? = nil,
        isActiveLow: Bool = true, drive: RowDrive = .switched, settle: Duration = usualSettle
    ) {
        guard let size = MatrixSize(rows: rows.count, columns: columns.count),
            let layout = layout ?? MatrixLayout(usualFor: size), layout.size == size,
            Set(rows + columns).count == rows.count + columns.count, MatrixSettings.settleRange.contains(settle)
        else { return nil }
        self.chip = chip
        self.rows = rows
        self.columns = columns
        self.layout = layout
        self.isActiveLow = isActiveLow
        self.drive = drive
        self.settle = settle
    }

    /// The name of a wire's line here.
    public func name(of wire: MatrixWire) -> String {
        switch wire {
        case .row(let index): rows[index].description
        case .column(let index): columns[index].description
        }
    }
}

/// The state of a row while another row is driven.
public enum RowDrive: String, Sendable, CaseIterable {
    /// An input without pull: works with every chip.
    case switched
    /// An output that only ever drives active, and is released otherwise: fewer calls, for chips with such outputs.
    case open
}
