// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The lines of a pad in their different configurations.
///
/// All lines that are driven at a time have the same level, so that pressed keys never join conflicting outputs.
struct MatrixPins<Bank: LineBank & ~Copyable>: ~Copyable {
    let settings: MatrixSettings
    let clock: any ThreadClock
    var banks: MatrixBanks<Bank>

    init(_ banks: consuming MatrixBanks<Bank>, _ settings: MatrixSettings, clock: any ThreadClock) {
        self.settings = settings
        self.clock = clock
        self.banks = banks
    }

    /// Makes columns report edges and drives all rows: any key makes an edge, also one that is already down.
    ///
    /// The order matters: the kernel reads a column's level before it listens for edges, and would miss a key that
    /// closes in between for as long as it is held. While no row is driven no key changes a column.
    mutating func arm() throws(LineError) {
        try banks.columns.configure(settings.columns.map { _ in settings.column(tellsEdges: true) })
        try drive { _ in true }
    }

    /// Makes columns report their level without delay, and no edges.
    mutating func disarm() throws(LineError) {
        try banks.columns.configure(settings.columns.map { _ in settings.column(tellsEdges: false) })
        try drive { _ in false }
    }

    /// Scans each row in turn. Call it disarmed.
    mutating func look() throws(LineError) -> MatrixScan {
        var rows: [UInt64] = []
        for row in settings.rows.indices {
            try drive { $0 == row }
            clock.pause(for: settings.settle)
            rows.append(try banks.columns.values())
        }
        try drive { _ in false }
        return MatrixScan(rows: rows)
    }

    private mutating func drive(_ isDriven: (Int) -> Bool) throws(LineError) {
        switch settings.drive {
        case .switched:
            try banks.rows.configure(settings.rows.indices.map { settings.row(isDriven: isDriven($0)) })
        case .open:
            try banks.rows.set(settings.rows.indices.reduce(0) { isDriven($1) ? $0 | 1 << $1 : $0 })
        }
    }
}

/// The lines of a pad.
public struct MatrixBanks<Bank: LineBank & ~Copyable>: ~Copyable {
    var rows: Bank
    var columns: Bank

    public init(rows: consuming Bank, columns: consuming Bank) {
        self.rows = rows
        self.columns = columns
    }
}
