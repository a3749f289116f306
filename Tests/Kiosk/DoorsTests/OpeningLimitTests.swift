// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import Doors

@Suite struct OpeningLimitTests {
    @Test func onePersonWaitsAfterThree() {
        var limit = OpeningLimit()
        for _ in 1...3 { #expect(limit.open(for: "alice", now: .seconds(100)) == nil) }
        #expect(limit.wait(for: "alice", now: .seconds(100)) == .seconds(20))
        #expect(limit.open(for: "alice", now: .seconds(110)) == .seconds(10))
        #expect(limit.wait(for: "bob", now: .seconds(110)) == nil && limit.wait(for: nil, now: .seconds(110)) == nil)
        // A refused attempt does not count.
        #expect(limit.open(for: "alice", now: .seconds(120)) == nil)
        #expect(limit.open(for: "alice", now: .seconds(120)) == .seconds(20))
        // After a minute without attempts, three are allowed again.
        for _ in 1...3 { #expect(limit.open(for: "alice", now: .seconds(200)) == nil) }
        #expect(limit.open(for: "alice", now: .seconds(200)) != nil)
    }

    @Test func everybodyWaitsAfterTen() {
        var limit = OpeningLimit()
        for person in 1...10 { #expect(limit.open(for: "\(person)", now: .zero) == nil) }
        #expect(limit.wait(for: nil, now: .zero) == .seconds(6))
        #expect(limit.open(for: "new", now: .seconds(5)) == .seconds(1))
        #expect(limit.open(for: "new", now: .seconds(6)) == nil)
        #expect(limit.open(for: "newer", now: .seconds(6)) == .seconds(6))
    }

    /// Any people at any speed: few are remembered, and nobody opens more often than allowed.
    @Test func isBoundedWhateverComes() {
        let seed: UInt64 = 0x11
        var random = SplitMix64(seed: seed)
        var limit = OpeningLimit()
        var now = Duration.zero
        var openings: [(person: String, time: Duration)] = []
        for round in 0..<20_000 {
            now += .milliseconds(Int.random(in: 0...2000, using: &random))
            let person = "\(Int.random(in: 0..<1000, using: &random) % (round.isMultiple(of: 2) ? 3 : 1000))"
            if limit.open(for: person, now: now) == nil { openings.append((person, now)) }
            #expect(limit.count <= 20, "seed \(seed), round \(round)")
        }
        #expect(openings.count > 1000)
        for (index, opening) in openings.enumerated() {
            let minute = openings[index...].prefix { $0.time < opening.time + .seconds(60) }
            #expect(minute.count <= 20, "seed \(seed), opening \(index)")
            #expect(minute.count { $0.person == opening.person } <= 6, "seed \(seed), opening \(index)")
        }
    }
}
