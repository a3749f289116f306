// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("The kiosk's observers", .timeLimit(.minutes(10)))
struct ObserverTests {
    final class FakeObserver: KioskObserver {
        private struct State {
            var turns = 0
            var conditions: [KioskCondition] = []
        }
        private let state = Mutex(State())
        let interval: Duration?

        init(interval: Duration? = .seconds(30)) { self.interval = interval }

        var turns: Int { state.withLock(\.turns) }
        var conditions: [KioskCondition] { state.withLock(\.conditions) }
        func turned() { state.withLock { $0.turns += 1 } }
        func changed(_ condition: KioskCondition) { state.withLock { $0.conditions.append(condition) } }

        func until(_ condition: KioskCondition) async {
            while conditions.last != condition, !Task.isCancelled { await Task.yield() }
        }
    }

    /// A clock that is read in the kiosk's loop, and can block it there.
    final class HeldClock: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let state = Mutex((asked: 0, isHeld: false))

        var isSet: Bool {
            let isHeld = state.withLock { state in
                state.asked += 1
                return state.isHeld
            }
            if isHeld { gate.wait() }
            return false
        }
        var asked: Int { state.withLock { $0.asked } }
        /// - Returns: how often it was read until then.
        func hold() -> Int {
            state.withLock { state in
                state.isHeld = true
                return state.asked
            }
        }
        func release() {
            state.withLock { $0.isHeld = false }
            gate.signal()
        }
    }

    @Test("An observer is told of the scan screen once it was shown, then of each change, and of the end")
    func conditions() async throws {
        let observer = FakeObserver()
        let rig = try KioskRig(observers: [observer])
        #expect(observer.conditions.isEmpty)
        try await rig.run { rig in
            await observer.until(.ready)
            #expect(rig.screen.views.first?.stage == .scan)
            rig.keypad.report(.unavailable("unplugged"))
            await observer.until(.withoutKeys)
            rig.keypad.report(.available)
            await observer.until(.ready)
            rig.scanner.report(.unavailable(ScannerTrouble(.missing, "gone")))
            await observer.until(.withoutPictures)
            rig.scanner.report(.available(camera: ""))
            await observer.until(.ready)
            rig.scanner.show(KioskRig.code)
            await observer.until(.serving)
            rig.keypad.press(.back)
        }
        #expect(
            observer.conditions.filter { $0 != .serving } == [
                .ready, .withoutKeys, .ready, .withoutPictures, .ready, .stopping,
            ])
        #expect(observer.conditions.filter { $0 == .serving }.count == 1)
        // The operator reads no person and no second line.
        for words in KioskCondition.allCases.map(\.description) {
            #expect(!words.isEmpty && !words.contains { $0.isNewline || $0 == "@" })
        }
    }

    @Test func withNothingTrusted() async throws {
        let observer = FakeObserver()
        try await KioskRig(trust: [], observers: [observer]).run { _ in await observer.until(.untrusted) }
        #expect(observer.conditions == [.untrusted, .stopping])
    }

    @Test("An observer gets a sign of life once an interval")
    func signsOfLife() async throws {
        let observer = FakeObserver(interval: .seconds(30))
        try await KioskRig(observers: [observer]).run { rig in
            await observer.until(.ready)
            for count in 1...5 {
                // The scan screen's timer sleeps on the same clock.
                await rig.clock.waitForSleepers()
                rig.clock.advance(by: .seconds(29))
                #expect(observer.turns == count - 1)
                rig.clock.advance(by: .seconds(1))
                while observer.turns < count { await Task.yield() }
            }
        }
    }

    @Test("No sign of life comes while the kiosk's loop hangs")
    func aKioskThatHangs() async throws {
        let observer = FakeObserver(interval: .seconds(2))
        let clock = HeldClock()
        let rig = try KioskRig(isClockSet: { clock.isSet }, observers: [observer])
        try await rig.run { rig in
            while observer.turns < 2 {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let asked = clock.hold()
            while clock.asked == asked {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let turns = observer.turns
            for _ in 0..<1_000 {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(observer.turns == turns)
            clock.release()
            while observer.turns == turns {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
    }

    @Test func withoutAnInterval() async throws {
        let observer = FakeObserver(interval: nil)
        try await KioskRig(observers: [observer]).run { rig in
            await observer.until(.ready)
            rig.clock.advance(by: .seconds(3600))
            await observer.until(.resting)
        }
        #expect(observer.turns == 0)
    }
}
