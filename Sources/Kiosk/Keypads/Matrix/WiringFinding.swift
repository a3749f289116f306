// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A fault in the wires of a key matrix.
public enum WiringFinding: Hashable, Sendable {
    /// No column follows its pull resistor: the chip has none, or refuses them.
    case noPulls
    /// The column's level changes by itself.
    case floating(MatrixWire)
    /// The wire is active although nothing drives it.
    case alwaysActive(MatrixWire)
    /// The wire stays inactive although it is driven.
    case neverActive(MatrixWire)
    /// Connected wires, although no key is down.
    case connected([MatrixWire])
    /// Two swapped rows, or two swapped columns.
    case swapped(MatrixWire, MatrixWire)
    /// Rows and columns are swapped.
    case transposed
    /// No key of the wire came.
    case silent(MatrixWire)
    /// A key that did not come, while others of its row and column did.
    case dead(MatrixPosition)
    /// The keys came in an order that no single mistake explains.
    case unexplained
}

extension WiringFinding {
    /// The finding in words, with a remedy.
    ///
    /// - Parameter name: the configuration's name of a wire, such as `GPIO17`.
    public func sentence(_ name: (MatrixWire) -> String) -> String {
        func named(_ wire: MatrixWire) -> String { "\(wire) (\(name(wire)))" }
        return switch self {
        case .noPulls:
            "no column follows its pull resistor: this chip has none; "
                + "fit 10 kOhm from each column to the inactive level"
        case .floating(let wire):
            "\(named(wire)) floats: fit 10 kOhm from it to the inactive level, or take a pin with a pull resistor"
        case .alwaysActive(let wire):
            "\(named(wire)) is always active: look for a short, to ground where lines are active low"
        case .neverActive(let wire):
            "\(named(wire)) cannot be driven: look for a short, to the supply where lines are active low"
        case .connected(let wires) where wires.count == 2 && !WiringFinding.areAlike(wires[0], wires[1]):
            "\(named(wires[0])) and \(named(wires[1])) are connected: a key is held down, or the wires touch"
        case .connected(let wires): "these wires touch: \(wires.map(named).joined(separator: ", "))"
        case .swapped(let one, let other): "\(named(one)) and \(named(other)) are swapped"
        case .transposed: "rows and columns are exchanged: the keys of a row come as a column"
        case .silent(let wire): "no key of \(named(wire)) was heard: its wire is loose, or on another pin"
        case .dead(let position): "the key in \(position) was not heard, others of its row and column were"
        case .unexplained:
            "the keys did not come as configured: press each once, row by row from the upper left, or check the layout"
        }
    }

    private static func areAlike(_ one: MatrixWire, _ other: MatrixWire) -> Bool {
        switch (one, other) {
        case (.row, .row), (.column, .column): true
        case (.row, .column), (.column, .row): false
        }
    }
}
