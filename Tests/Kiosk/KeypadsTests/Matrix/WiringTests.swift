// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskPorts
import Testing

@Suite("Faults of a pad's wiring")
struct WiringTests {
    private let layout: MatrixLayout
    private let all: [MatrixPosition]

    init() throws {
        layout = try #require(MatrixLayout("123/456/789/*0#"))
        all = layout.size.positions
    }

    private func name(_ wire: MatrixWire) -> String {
        switch wire {
        case .row(let index): "GPIO\(index)"
        case .column(let index): "GPIO\(index + 10)"
        }
    }

    /// Rows are bits 0 to 3, columns bits 4 to 6.
    private func sentences(atRest: [UInt64], connections: [UInt64]) -> [String] {
        let driven = (0..<7).map { wire in
            connections.filter { $0 >> wire & 1 == 1 }.reduce(1 << wire as UInt64, |)
        }
        return WiringMeasurement(layout.size, atRest: atRest, whileDriven: driven).findings.map {
            $0.sentence(name)
        }
    }

    /// The lines that are active at rest, in each of some looks, or connected, and what is told. Rows may float.
    @Test(
        arguments: [
            ([0, 0, 0], [], []), ([0b0000101, 0, 0b0000001], [], []),
            (
                [0b0100000, 0, 0b0100000], [],
                [
                    "column 2 (GPIO11) floats: fit 10 kOhm from it to the inactive level, or take a pin with a pull resistor"
                ]
            ),
            (
                [0b1010000, 0b0100000], [],
                [
                    "no column follows its pull resistor: this chip has none; fit 10 kOhm from each column to the "
                        + "inactive level"
                ]
            ),
            (
                [0b1000000, 0b1000000], [],
                ["column 3 (GPIO12) is always active: look for a short, to ground where lines are active low"]
            ),
            ([0, 0, 0], [0b0000011], ["these wires touch: row 1 (GPIO0), row 2 (GPIO1)"]),
            ([0, 0, 0], [0b1100000], ["these wires touch: column 2 (GPIO11), column 3 (GPIO12)"]),
            (
                [0, 0, 0], [0b0010010],
                ["row 2 (GPIO1) and column 1 (GPIO10) are connected: a key is held down, or the wires touch"]
            ),
            (
                [0, 0, 0], [0b0010001, 0b0100001],
                ["these wires touch: row 1 (GPIO0), column 1 (GPIO10), column 2 (GPIO11)"]
            ),
        ] as [([UInt64], [UInt64], [String])])
    func faultsAreNamed(atRest: [UInt64], connections: [UInt64], expected: [String]) {
        #expect(sentences(atRest: atRest, connections: connections) == expected)
    }

    @Test func aRowAtTheSupply() {
        let driven = (0..<7).map { $0 == 1 ? 0 as UInt64 : 1 << $0 }
        let measurement = WiringMeasurement(layout.size, atRest: [0, 0], whileDriven: driven)
        #expect(measurement.findings == [.neverActive(.row(1))])
        #expect(
            measurement.findings.map { $0.sentence(name) } == [
                "row 2 (GPIO1) cannot be driven: look for a short, to the supply where lines are active low"
            ])
    }

    private func pressed(_ positions: [MatrixPosition]) -> PressedKeys {
        var keys = PressedKeys(layout)
        for position in positions { keys.append(position) }
        return keys
    }

    @Test func keysInTheirOrder() {
        #expect(pressed(all).findings == [])
        #expect(pressed(all).isComplete)
        #expect(pressed([]).findings == [])
    }

    @Test func swappedWires() {
        let rows = all.map { MatrixPosition(row: [0, 2, 1, 3][$0.row], column: $0.column) }
        #expect(pressed(rows).findings == [.swapped(.row(1), .row(2))])
        #expect(
            pressed(rows).findings.map { $0.sentence(name) } == ["row 2 (GPIO1) and row 3 (GPIO2) are swapped"])
        let columns = all.map { MatrixPosition(row: $0.row, column: [2, 1, 0][$0.column]) }
        #expect(pressed(columns).findings == [.swapped(.column(0), .column(2))])
    }

    @Test func exchangedKinds() throws {
        let layout = try #require(MatrixLayout("123A/456B/789C/*0#D"))
        var keys = PressedKeys(layout)
        for position in layout.size.positions {
            keys.append(MatrixPosition(row: position.column, column: position.row))
        }
        #expect(keys.findings == [.transposed])
    }

    @Test func aLooseWire() {
        #expect(pressed(all.filter { $0.column != 1 }).findings == [.silent(.column(1))])
        #expect(
            pressed(all.filter { $0.row != 0 }).findings.map { $0.sentence(name) } == [
                "no key of row 1 (GPIO0) was heard: its wire is loose, or on another pin"
            ])
    }

    @Test func aDeadKey() {
        let keys = pressed(all.filter { $0 != MatrixPosition(row: 1, column: 2) })
        #expect(keys.findings == [.dead(MatrixPosition(row: 1, column: 2))])
        #expect(!keys.isComplete)
    }

    @Test func keysInAnyOrder() {
        #expect(pressed(all.reversed()).findings == [.unexplained])
    }
}
