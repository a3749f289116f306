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

    /// The presses that each single mistake would cause.
    private var hypotheses: [(finding: WiringFinding, predicted: [MatrixPosition])] {
        let size = layout.size
        let rows = PressedKeys.pairs(below: size.rows).map { one, other in
            predict(.swapped(.row(one), .row(other))) {
                MatrixPosition(row: PressedKeys.swap($0.row, one, other), column: $0.column)
            }
        }
        let columns = PressedKeys.pairs(below: size.columns).map { one, other in
            predict(.swapped(.column(one), .column(other))) {
                MatrixPosition(row: $0.row, column: PressedKeys.swap($0.column, one, other))
            }
        }
        guard size.rows == size.columns else { return rows + columns }
        return rows + columns + [predict(.transposed) { MatrixPosition(row: $0.column, column: $0.row) }]
    }

    private func predict(
        _ finding: WiringFinding, _ moved: (MatrixPosition) -> MatrixPosition
    ) -> (finding: WiringFinding, predicted: [MatrixPosition]) {
        (finding, expected.map(moved))
    }

    private static func pairs(below count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { one in (one + 1..<max(count, one + 1)).map { (one, $0) } }
    }

    private static func swap(_ index: Int, _ one: Int, _ other: Int) -> Int {
        index == one ? other : index == other ? one : index
    }
}
