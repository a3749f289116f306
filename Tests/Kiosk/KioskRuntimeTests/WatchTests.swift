// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("What watches the kiosk from outside", .timeLimit(.minutes(1)))
struct WatchTests {
    final class FakeWatch: KioskWatch {
        private struct State {
            var turns = 0
            var standings: [KioskStanding] = []
        }
        private let state = Mutex(State())
        let interval: Duration?

        init(interval: Duration? = .seconds(30)) { self.interval = interval }

        var turns: Int { state.withLock(\.turns) }
        var standings: [KioskStanding] { state.withLock(\.standings) }
        func turned() { state.withLock { $0.turns += 1 } }
        func stands(_ standing: KioskStanding) { state.withLock { $0.standings.append(standing) } }

        func until(_ standing: KioskStanding) async {
            while standings.last != standing, !Task.isCancelled { await Task.yield() }
        }
    }

    /// A clock that is asked in the kiosk's own loop, and can hold it up there.
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
        func hold() { state.withLock { $0.isHeld = true } }
        func release() {
            state.withLock { $0.isHeld = false }
            gate.signal()
        }
    }

    @Test("hears that the scan screen stands only when it was shown, then each change, and the end")
    func standings() async throws {
        let watch = FakeWatch()
        let rig = try KioskRig(watches: [watch])
        #expect(watch.standings.isEmpty)
        try await rig.run { rig in
            await watch.until(.ready)
            #expect(rig.screen.views.first?.stage == .scan)
            rig.keypad.report(.unavailable("unplugged"))
            await watch.until(.withoutKeys)
            rig.keypad.report(.available)
            await watch.until(.ready)
            rig.scanner.report(.unavailable(ScannerTrouble(.missing, "gone")))
            await watch.until(.withoutPictures)
            rig.scanner.report(.available(camera: ""))
            await watch.until(.ready)
            rig.scanner.show(KioskRig.code)
            await watch.until(.serving)
            rig.keypad.press(.back)
        }
        #expect(
            watch.standings.filter { $0 != .serving } == [
                .ready, .withoutKeys, .ready, .withoutPictures, .ready, .stopping,
            ])
        #expect(watch.standings.filter { $0 == .serving }.count == 1)
    }

    @Test func withNothingTrusted() async throws {
        let watch = FakeWatch()
        try await KioskRig(trust: [], watches: [watch]).run { _ in await watch.until(.untrusted) }
        #expect(watch.standings == [.untrusted, .stopping])
    }

    @Test("No word about the kiosk names a person, a place or a code")
    func words() {
        for standing in KioskStanding.allCases {
            #expect(!standing.description.isEmpty && !standing.description.contains { $0.isNewline || $0 == "@" })
        }
    }

    @Test("hears a sign of life once an interval")
    func signsOfLife() async throws {
        let watch = FakeWatch(interval: .seconds(30))
        try await KioskRig(watches: [watch]).run { rig in
            await watch.until(.ready)
            for count in 1...5 {
                // The scan screen's own timer sleeps in the same place.
                await rig.clock.waitForSleepers()
                rig.clock.advance(by: .seconds(29))
                #expect(watch.turns == count - 1)
                rig.clock.advance(by: .seconds(1))
                while watch.turns < count { await Task.yield() }
            }
        }
    }

    @Test("and none while the kiosk's loop hangs, whatever the time")
    func aKioskThatHangs() async throws {
        let watch = FakeWatch(interval: .seconds(2))
        let clock = HeldClock()
        let rig = try KioskRig(isClockSet: { clock.isSet }, watches: [watch])
        try await rig.run { rig in
            while watch.turns < 2 {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            clock.hold()
            let asked = clock.asked
            while clock.asked == asked {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            let turns = watch.turns
            for _ in 0..<1_000 {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
            #expect(watch.turns == turns)
            clock.release()
            while watch.turns == turns {
                rig.clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
    }

    @Test func withoutAnInterval() async throws {
        let watch = FakeWatch(interval: nil)
        try await KioskRig(watches: [watch]).run { rig in
            await watch.until(.ready)
            rig.clock.advance(by: .seconds(3600))
            await watch.until(.resting)
        }
        #expect(watch.turns == 0)
    }
}
