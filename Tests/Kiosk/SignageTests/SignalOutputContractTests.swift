// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Testing
@testable import Signage

/// The contract of the port. `make test-devices` checks lamps at a real kernel's lines, too.
@Suite("Lamps keep the port's contract", .timeLimit(.minutes(10)))
struct SignalOutputContractTests {
    @Test func theRecordedOnes() async throws {
        let lamps = RecordedLamps()
        try await SignalOutputContract(lamps, parts: [.green, .red, .buzzer]) {
            try #require(await lamps.next())
        }.check()
    }

    @Test(arguments: ["green=1,red=2,buzzer=3", "green=1,red=2,buzzer=3,active=low", "buzzer=1"])
    func thoseAtLines(_ text: String) async throws {
        let settings = try SignalSettings(text)
        let matrix = FakeMatrix(try #require(MatrixSize(rows: 3, columns: 1)))
        let wires = settings.parts.indices.map { MatrixWire.row($0) }
        let lamps = LineLamps(try FakeLines(wires, of: matrix, settings.lines), parts: settings.parts.map(\.level))
        let parts = settings.parts.reduce(into: SignalLevel()) { $0.formUnion($1.level) }
        try await SignalOutputContract(lamps, parts: parts) {
            let active = try #require(matrix.values(wires.map(matrix.index)))
            return settings.parts.enumerated().reduce(into: SignalLevel()) { lit, part in
                if active >> UInt64(part.offset) & 1 == 1 { lit.formUnion(part.element.level) }
            }
        }.check()
    }
}
