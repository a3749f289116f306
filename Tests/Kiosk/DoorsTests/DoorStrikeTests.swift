// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import LinuxSystem
import Testing
@testable import Doors

@Suite struct DoorStrikeTests {
    let clock = ManualClock()
    let journal = LineJournal()
    static let opening = Opening(id: "1", door: "main", userID: "alice@example.com", time: 0)

    private func strike() -> DoorStrike<JournalBank> {
        DoorStrike(JournalBank(journal: journal), pulse: .seconds(3), time: Timekeeper(clock), logger: Scratch.silent)
    }

    /// Runs the strike while `body` runs.
    private func running(
        _ strike: DoorStrike<JournalBank>, _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await strike.run() }
            // It runs once it accepts an opening.
            while (try? await strike.carryOut(Self.opening)) == nil { await Task.yield() }
            try await body()
            group.cancelAll()
        }
    }

    @Test func isActiveForThePulse() async throws {
        try await running(strike()) {
            #expect(journal.values == [1])
            await clock.waitForSleepers()
            clock.advance(by: .seconds(2))
            #expect(journal.values == [1])
            clock.advance(by: .seconds(1))
            await journal.wait(for: [1, 0])
        }
        #expect(journal.values.last == 0)
    }

    @Test func aSecondOpeningBeginsThePulseAnew() async throws {
        let strike = strike()
        try await running(strike) {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(2))
            try await strike.carryOut(Self.opening)
            clock.advance(by: .seconds(1))
            await clock.waitForSleepers()
            #expect(journal.values == [1, 1])
            clock.advance(by: .seconds(2))
            await journal.wait(for: [1, 1, 0])
        }
    }

    @Test func isInactiveWhenTheKioskEnds() async throws {
        try await running(strike()) { await clock.waitForSleepers() }
        #expect(journal.values.prefix(2) == [1, 0] && !journal.values.dropFirst().contains(1) && !journal.isHeld)
    }

    @Test func opensNothingThatNobodyWouldShut() async throws {
        let strike = strike()
        let early = await #expect(throws: DoorFailure.self) { try await strike.carryOut(Self.opening) }
        #expect(early?.reason == .broken && journal.values.isEmpty)
        try await running(strike) {}
        let late = await #expect(throws: DoorFailure.self) { try await strike.carryOut(Self.opening) }
        #expect(late?.reason == .broken && journal.values.last == 0)
    }

    @Test func saysThatTheChipIsGone() async throws {
        let strike = strike()
        try await running(strike) {
            journal.fail(1)
            let error = await #expect(throws: DoorFailure.self) { try await strike.carryOut(Self.opening) }
            #expect(error == DoorFailure(.broken, "chip: the GPIO chip is gone; put it back"))
        }
    }

    @Test func triesAgainToLetGo() async throws {
        try await running(strike()) {
            await clock.waitForSleepers()
            journal.fail(2)
            clock.advance(by: .seconds(3))
            for _ in 1...2 {
                await clock.waitForSleepers()
                #expect(journal.values == [1])
                clock.advance(by: .seconds(1))
            }
            await journal.wait(for: [1, 0])
        }
    }
}

extension LineJournal {
    /// Waits until the values are these, or the test is cancelled.
    func wait(for values: [UInt64]) async {
        while self.values != values, !Task.isCancelled { await Task.yield() }
    }
}
