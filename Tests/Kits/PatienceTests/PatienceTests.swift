// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

@testable import Patience

@Suite struct PatienceTests {
    /// The number of tasks inside, the most at once, and the total.
    private final class Visitors: Sendable {
        private let counts = Mutex((now: 0, most: 0, all: 0))

        var seen: (now: Int, most: Int, all: Int) { counts.withLock { $0 } }

        func enter() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
                counts.all += 1
            }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

    @Test func theGateLetsNoMoreInThanItHasPlacesAndEverybodyInTheEnd() async {
        let gate = CoreGate(places: 3)
        let visitors = Visitors()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await gate.pass {
                        visitors.enter()
                        for _ in 0..<5 { await Task.yield() }
                        visitors.leave()
                    }
                }
            }
        }
        let seen = visitors.seen
        #expect(seen.now == 0 && seen.most <= 3 && seen.all == 50)
    }

    /// The numbers that implementations in other languages give for this seed.
    @Test func theSameSeedGivesTheKnownNumbers() {
        var random = SplitMix64(seed: 1_234_567)
        let drawn = (0..<5).map { _ in random.next() }
        #expect(
            drawn == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func patienceEndsAndIsRenewed() {
        var none = Patience(.zero)
        var long = Patience(.seconds(3600))
        let areOver = [none.isOver(), long.isOver()]
        #expect(areOver == [true, false])
        long.renew()
        let isOver = long.isOver()
        #expect(!isOver)
    }

    @Test func noMachineIsQuickerThanTheOneForWhichLimitsAreChosen() { #expect(MachinePace.slowness >= 1) }

    @Test func aWaitEndsWithItsResultOrWithItsPatience() async throws {
        var rounds = 0
        let found = try await Patience.wait(every: .zero) { () -> Int? in
            rounds += 1
            return rounds == 3 ? rounds : nil
        }
        #expect(found == 3)
        let nothing = try await Patience.wait(.zero, every: .zero) { () -> Int? in nil }
        #expect(nothing == nil)
        // Endless progress is no progress.
        var steps = 0
        func step() -> Int {
            steps += 1
            return steps
        }
        let late = try await Patience.wait(.zero, every: .zero, progress: step) { () -> Int? in nil }
        #expect(late == nil && steps > 1)
    }

    @Test func aWaitInVainNamesItsPlace() async throws {
        try await Patience.until(.zero) { true }
        let line = #line + 1
        let error = await #expect(throws: Patience.Over.self) {
            try await Patience.until(.zero, every: .zero) { false }
        }
        #expect(error?.description == "waited in vain at PatienceTests/PatienceTests.swift:\(line)")
        var none = Patience(.zero)
        let goesOn = none.pause()
        #expect(!goesOn)
    }

    /// A server that binds its socket and listens later.
    @Test func aSocketIsWaitedForUntilItTakesConnections() async throws {
        let path = "/tmp/patience-\(UUID().uuidString.prefix(8))"
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(server)
            unsafe unlink(path)
        }
        #expect(!LocalSocket.takesConnections(path))
        try #require(unsafe LocalSocket.withAddress(path) { unsafe bind(server, $0, $1) } == 0)
        #expect(unsafe access(path, F_OK) == 0 && !LocalSocket.takesConnections(path))
        var rounds = 0
        try await Patience.until {
            rounds += 1
            if rounds == 3 { listen(server, 1) }
            return LocalSocket.takesConnections(path)
        }
        #expect(rounds == 3)
    }
}
