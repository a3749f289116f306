// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Which key is where in a matrix.
///
/// As text it is the picture of the pad, rows apart by `/`, a sign for each key:
///
/// | Sign | Key |
/// |---|---|
/// | 0...9 | digit |
/// | `#`, `D` | enter |
/// | `*`, `B` | back; held for a second, clear |
/// | `C` | clear |
/// | `A` | menu |
/// | `.` | none |
public struct MatrixLayout: Hashable, Sendable {
    public let size: MatrixSize
    private let signs: [[Character]]

    /// - Returns: nil when rows differ in length, a sign is none of those above, or the size is out of range.
    public init?(_ text: String) {
        let rows = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
        guard let columns = rows.first?.count, rows.allSatisfy({ $0.count == columns }),
            let size = MatrixSize(rows: rows.count, columns: columns),
            rows.joined().allSatisfy({ $0 == "." || MatrixLayout.key(of: $0) != nil })
        else { return nil }
        self.size = size
        signs = rows
    }

    /// The usual pads of 12 and 16 keys; nil for any other size.
    public init?(usualFor size: MatrixSize) {
        switch (size.rows, size.columns) {
        case (4, 3): self.init("123/456/789/*0#")
        case (4, 4): self.init("123A/456B/789C/*0#D")
        default: return nil
        }
    }

    /// - Returns: nil where there is no key.
    public func key(at position: MatrixPosition) -> Key? {
        size.contains(position) ? MatrixLayout.key(of: signs[position.row][position.column]) : nil
    }

    private static func key(of sign: Character) -> Key? {
        switch sign {
        case "0"..."9": sign.wholeNumberValue.map { .digit(UInt8($0)) }
        case "#", "D": .enter
        case "*", "B": .back
        case "C": .clear
        case "A": .menu
        default: nil
        }
    }
}

extension MatrixLayout: CustomStringConvertible {
    public var description: String { signs.map { String($0) }.joined(separator: "/") }
}

extension MatrixLayout {
    /// What a keypad says about an event of its matrix. No position of a key is in it: a person may be typing a PIN.
    ///
    /// - Returns: nil for what only the matrix is concerned with.
    public func report(of event: MatrixEvent) -> KeypadReport? {
        switch event {
        case .pressed(let position): key(at: position).map { .pressed(KeyPress($0)) }
        case .held(let position): key(at: position) == .back ? .pressed(KeyPress(.clear)) : nil
        case .refused: .keysLost("several keys were pressed at once")
        case .stuck:
            .trouble("a key has been down for \(MatrixTiming.stuck.components.seconds) s and is not heard any more")
        case .freed: .trouble("the key that was stuck is released")
        case .released: nil
        }
    }
}

/// How many wires a matrix of keys has: 1...16 rows and 1...16 columns.
public struct MatrixSize: Hashable, Sendable {
    public static let range = 1...16

    public let rows: Int
    public let columns: Int

    /// - Returns: nil when there are too few wires, or too many.
    public init?(rows: Int, columns: Int) {
        guard MatrixSize.range.contains(rows), MatrixSize.range.contains(columns) else { return nil }
        self.rows = rows
        self.columns = columns
    }

    /// Row by row, from the upper left, as one reads.
    public var positions: [MatrixPosition] {
        (0..<rows).flatMap { row in (0..<columns).map { MatrixPosition(row: row, column: $0) } }
    }

    public func contains(_ position: MatrixPosition) -> Bool {
        (0..<rows).contains(position.row) && (0..<columns).contains(position.column)
    }
}

/// A wire of a matrix of keys; both kinds count from 0.
public enum MatrixWire: Hashable, Sendable {
    case row(Int)
    case column(Int)
}

/// Counts from 1, as people do.
extension MatrixWire: CustomStringConvertible {
    public var description: String {
        switch self {
        case .row(let index): "row \(index + 1)"
        case .column(let index): "column \(index + 1)"
        }
    }
}

extension MatrixSize {
    /// Rows, then columns; where a wire is given as a bit, its number is the place in this list.
    public var wires: [MatrixWire] { (0..<rows).map { .row($0) } + (0..<columns).map { .column($0) } }
}

/// A place in a matrix of keys, where a row's wire and a column's wire cross; both count from 0.
public struct MatrixPosition: Hashable, Sendable {
    public let row: Int
    public let column: Int

    public init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Counts from 1, as people do. It tells which key is meant, so it must not go to a log while a person types.
extension MatrixPosition: CustomStringConvertible {
    public var description: String { "row \(row + 1), column \(column + 1)" }
}
