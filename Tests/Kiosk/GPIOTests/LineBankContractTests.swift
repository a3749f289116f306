// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Testing
@testable import GPIO

@Suite("Lines keep the contract of their port")
struct LineBankContractTests {
    private let matrix: FakeMatrix
    private let key = MatrixPosition(row: 0, column: 0)

    init() throws { matrix = FakeMatrix(try #require(MatrixSize(rows: 4, columns: 3))) }

    @Test func theFakeOnes() throws {
        let (matrix, key) = (matrix, key)
        try LineBankContract<FakeLines> { wires, settings throws(LineError) in
            try FakeLines(wires, of: matrix, settings)
        } press: {
            matrix.set(key, isClosed: $0)
        }.check()
        #expect(matrix.heldLines == 0)
    }

    /// The real code with a fake kernel. `make test-devices` uses a real one.
    @Test func theKernels() throws {
        let (matrix, key) = (matrix, key)
        let names = ["R1", "R2", "R3", "R4", "C1", "C2", "C3"]
        let system = FakeLineSystem(["/dev/gpiochip0": .init(label: "fake", names: names)], matrix: matrix)
        let finder = ChipFinder(system: system)
        try LineBankContract<LineRequest> { wires, settings throws(LineError) in
            let addresses = wires.map { LineAddress.named(names[matrix.index($0)]) }
            return try finder.request(addresses, on: .usual, settings, user: "test")
        } press: {
            matrix.set(key, isClosed: $0)
        }.check()
        #expect(matrix.heldLines == 0)
        #expect(system.openCount == 0)
    }
}
