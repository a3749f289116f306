// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The levels measured at the wires of a matrix while no key should be down.
///
/// Each bit stands for a wire, in the order of ``MatrixSize/wires``. It is set when the wire was active.
public struct WiringMeasurement: Hashable, Sendable {
    public let size: MatrixSize
    /// Several readings while all wires are inputs with a pull to the inactive level.
    public var atRest: [UInt64]
    /// For each wire a reading while only it is driven active.
    public var whileDriven: [UInt64]

    public init(_ size: MatrixSize, atRest: [UInt64] = [], whileDriven: [UInt64] = []) {
        self.size = size
        self.atRest = atRest
        self.whileDriven = whileDriven
    }
}

extension WiringMeasurement {
    /// The faults found, in the order of the wires.
    public var findings: [WiringFinding] {
        let wires = size.wires
        var floating: Set<Int> = []
        var active: Set<Int> = []
        for index in wires.indices {
            let seen = Set(atRest.map { $0 >> index & 1 })
            if seen.count == 2 { floating.insert(index) }
            if seen == [1] { active.insert(index) }
        }
        var findings: [WiringFinding] = []
        let columns = size.rows..<wires.count
        // Rows need no pull resistor: the scan reads columns only.
        let floatingColumns = columns.filter(floating.contains)
        if floatingColumns.count == columns.count {
            findings.append(.noPulls)
        } else {
            findings += floatingColumns.map { .floating(wires[$0]) }
        }
        findings += wires.indices.filter(active.contains).map { .alwaysActive(wires[$0]) }
        // The response of such wires cannot be measured.
        let reliable = wires.indices.filter { !floating.contains($0) && !active.contains($0) }
        guard whileDriven.count == wires.count else { return findings }
        findings += wires.indices.filter { !active.contains($0) && whileDriven[$0] >> $0 & 1 == 0 }
            .map { .neverActive(wires[$0]) }
        return findings + connections(among: reliable).map { net in .connected(net.map { wires[$0] }) }
    }

    /// The groups of connected wires.
    private func connections(among wires: [Int]) -> [[Int]] {
        var rest = wires
        var nets: [[Int]] = []
        while let first = rest.first {
            var net: Set<Int> = [first]
            var size = 0
            while net.count != size {
                size = net.count
                for wire in net { net.formUnion(rest.filter { whileDriven[wire] >> $0 & 1 == 1 }) }
            }
            rest.removeAll(where: net.contains)
            if net.count > 1 { nets.append(net.sorted()) }
        }
        return nets
    }
}
