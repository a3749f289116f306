// SPDX-License-Identifier: Apache-2.0

import Patience
import Synchronization
import Testing

@Suite struct PatienceTests {
    @Test func theGateLetsNoMoreInThanItHasPlacesAndEverybodyInTheEnd() async {
        let gate = CoreGate(places: 3)
        let inside = Mutex((now: 0, most: 0, all: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await gate.pass {
                        inside.withLock { inside in
                            inside.now += 1
                            inside.most = max(inside.most, inside.now)
                            inside.all += 1
                        }
                        for _ in 0..<5 { await Task.yield() }
                        inside.withLock { $0.now -= 1 }
                    }
                }
            }
        }
        #expect(inside.withLock { $0.most <= 3 && $0.now == 0 && $0.all == 50 })
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
        #expect(try await Patience.wait(.zero, every: .zero) { nil as Int? } == nil)
        // Progress that never ends is no progress.
        var steps = 0
        #expect(
            try await Patience.wait(
                .zero, every: .zero,
                progress: {
                    steps += 1
                    return steps
                }
            ) { nil as Int? } == nil)
    }
}
