// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The presses while the operator pressed each key once, row by row from the upper left.
public struct PressedKeys: Hashable, Sendable {
    public let layout: MatrixLayout
    public private(set) var positions: [MatrixPosition] = []

    public init(_ layout: MatrixLayout) { self.layout = layout }

    public mutating func append(_ position: MatrixPosition) { positions.append(position) }

    /// The positions with a key.
    private var expected: [MatrixPosition] { layout.size.positions.filter { layout.key(at: $0) != nil } }

    /// Whether the number of presses has reached the number of keys.
    public var isComplete: Bool { positions.count >= expected.count }

    /// The faults found: the single mistake that explains exactly these presses, or the missing keys.
    ///
    /// Without any press nothing is found: the operator may have pressed no key.
    public var findings: [WiringFinding] {
        guard !positions.isEmpty, positions != expected else { return [] }
        if let finding = hypotheses.first(where: { $0.predicted == positions })?.finding { return [finding] }
        let missing = expected.filter { !positions.contains($0) }
        // Many keys are not pressed yet, or the person began elsewhere.
        guard !missing.isEmpty, positions == expected.filter({ !missing.contains($0) }) else { return [.unexplained] }
        let size = layout.size
        let silentRows = (0..<size.rows).filter { row in isSilent(missing) { $0.row == row } }
        let silentColumns = (0..<size.columns).filter { column in isSilent(missing) { $0.column == column } }
        let dead = missing.filter { !silentRows.contains($0.row) && !silentColumns.contains($0.column) }
        return silentRows.map { .silent(.row($0)) } + silentColumns.map { .silent(.column($0)) }
            + dead.map { .dead($0) }
    }

    private func isSilent(_ missing: [MatrixPosition], _ isOfWire: (MatrixPosition) -> Bool) -> Bool {
        let keys = expected.filter(isOfWire)
        return !keys.isEmpty && keys.allSatisfy(missing.contains)
    }

    private var hypotheses: [(finding: WiringFinding, predicted: [MatrixPosition])] {
        let size = layout.size
        var all: [(WiringFinding, [MatrixPosition])] = []
        for one in 0..<size.rows {
            for other in (one + 1)..<max(size.rows, one + 1) {
                let swapped = expected.map { position in
                    MatrixPosition(
                        row: PressedKeys.swap(position.row, one, other), column: position.column)
                }
                all.append((.swapped(.row(one), .row(other)), swapped))
            }
        }
        for one in 0..<size.columns {
            for other in (one + 1)..<max(size.columns, one + 1) {
                let swapped = expected.map { position in
                    MatrixPosition(
                        row: position.row, column: PressedKeys.swap(position.column, one, other))
                }
                all.append((.swapped(.column(one), .column(other)), swapped))
            }
        }
        if size.rows == size.columns {
            all.append((.transposed, expected.map { MatrixPosition(row: $0.column, column: $0.row) }))
        }
        return all
    }

    private static func swap(_ index: Int, _ one: Int, _ other: Int) -> Int {
        index == one ? other : index == other ? one : index
    }
}
