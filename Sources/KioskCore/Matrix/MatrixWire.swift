// SPDX-License-Identifier: Apache-2.0

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
