// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import Synchronization
import Testing
@testable import Signage

@Suite("Lamps at GPIO lines")
struct LineLampsTests {
    /// Lines that record their values.
    private struct NotedLines: LineBank, ~Copyable {
        let noted: NotedValues

        mutating func configure(_ lines: [LineSettings]) {}
        mutating func set(_ active: UInt64) throws(LineError) { try noted.note(active) }
        mutating func values() -> UInt64 { 0 }
        mutating func wait(within limit: Duration, orStop stop: Int32) -> LineWait { .nothing }
        mutating func takeEdges() -> [LineEdge] { [] }
    }

    private final class NotedValues: Sendable {
        private let state = Mutex<(values: [UInt64], isGone: Bool)>(([], false))

        var values: [UInt64] { state.withLock { $0.values } }

        func takeAway() { state.withLock { $0.isGone = true } }

        func note(_ value: UInt64) throws(LineError) {
            let isGone = state.withLock { state in
                if !state.isGone { state.values.append(value) }
                return state.isGone
            }
            if isGone { throw LineError(.gone, at: "chip", problem: "is gone", remedy: "put it back") }
        }
    }

    @Test func eachPartHasItsLineAndWhatIsMissingIsLeftOut() async throws {
        let noted = NotedValues()
        let lamps = LineLamps(NotedLines(noted: noted), parts: [.buzzer, .green])
        for level in [[], .green, .red, .buzzer, [.green, .red, .buzzer]] as [SignalLevel] {
            try await lamps.set(level)
        }
        #expect(noted.values == [0b00, 0b10, 0b00, 0b01, 0b11])
    }

    @Test func aChipThatIsGoneIsSaidInWords() async {
        let noted = NotedValues()
        noted.takeAway()
        let complaints = Mutex<[String]>([])
        let lamps = LineLamps(NotedLines(noted: noted), parts: [.green])
        let lights = SignalLights(output: lamps) { text in complaints.withLock { $0.append(text) } }
        await lights.show(SampleViews.view("consent"))
        await lights.run()
        #expect(complaints.withLock { $0 } == ["chip: is gone; put it back"])
    }

    @Test func linesBeginDark() throws {
        let settings = try SignalSettings("green=1,red=2,active=low")
        #expect(
            settings.lines
                == [LineSettings](repeating: LineSettings(.output(isActive: false), isActiveLow: true), count: 2))
    }
}
