// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Lines connected to wires of a ``FakeMatrix``.
public struct FakeLines: LineBank, ~Copyable {
    private let matrix: FakeMatrix
    private let wires: [Int]

    /// - Throws: an error when the chip is missing, or one of the lines is in use.
    public init(_ wires: [MatrixWire], of matrix: FakeMatrix, _ settings: [LineSettings]) throws(LineError) {
        self.matrix = matrix
        self.wires = wires.map(matrix.index)
        guard !matrix.isHeld(self.wires) else {
            throw LineError(.inUse, at: "fake chip", problem: "a line is in use", remedy: "let it go")
        }
        guard matrix.configure(self.wires, settings) else { throw FakeLines.gone }
    }

    deinit { matrix.release(wires) }

    private static var gone: LineError {
        LineError(.gone, at: "fake chip", problem: "the GPIO chip is gone", remedy: "put it back")
    }

    public mutating func configure(_ lines: [LineSettings]) throws(LineError) {
        guard lines.count == wires.count else {
            throw LineError(
                .refused, at: "fake chip", problem: "settings do not fit the lines", remedy: "give each its own")
        }
        guard matrix.configure(wires, lines) else { throw FakeLines.gone }
    }

    public mutating func set(_ active: UInt64) throws(LineError) {
        guard matrix.set(wires, active) else { throw FakeLines.gone }
    }

    public mutating func values() throws(LineError) -> UInt64 {
        guard let values = matrix.values(wires) else { throw FakeLines.gone }
        return values
    }

    public mutating func wait(within limit: Duration, orStop stop: Int32) throws(LineError) -> LineWait {
        guard let wait = matrix.wait(wires, within: limit, orStop: stop) else { throw FakeLines.gone }
        return wait
    }

    public mutating func takeEdges() throws(LineError) -> [LineEdge] {
        guard let edges = matrix.takeEdges(wires) else { throw FakeLines.gone }
        return edges
    }
}
