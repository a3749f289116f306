// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskMachine
import LoginValues
import Patience
import Testing

/// Random walks through the machine, compared with a model that knows only the rules.
@Suite("Random walks break no rule")
struct RandomWalkTests {
    /// Number of walks for each seed.
    static let walks = TestEffort.rounds(3_000)
    static let length = 30

    static let seeds: [UInt64] = [0x5EED_0001, 0x5EED_0002, 0x5EED_0003, 0x5EED_0004]
    /// Seeds of further walks, used while the documented table has a transition that no walk took. Some are rare.
    static let furtherSeeds: ClosedRange<UInt64> = 0x5EED_0005...0x5EED_000C

    @Test func rulesHold() throws {
        var outcomes: Set<SessionOutcome> = []
        var tasksOfCards: Set<KioskTask> = []
        var screens = ScreenTable()
        let table = try ScreenTable(ofPage: "kiosk.md")
        for (seed, walk) in (Self.seeds + Self.furtherSeeds).lazy.flatMap({ seed in
            (0..<Self.walks).lazy.map { (seed, $0) }
        }) {
            if walk == 0, Self.furtherSeeds.contains(seed), screens.rows == table.rows { break }
            // Each walk can be repeated on its own.
            var generator = SplitMix64(seed: seed &+ UInt64(walk) << 32)
            var walker = Walker(
                trusts: walk % 100 != 0, services: Array(["a.example", "b.example"].prefix(walk % 3)),
                doors: Array(LocalLoginTests.doors.prefix(walk % 4)),
                tasks: walk % 5 == 0 ? [] : KioskTask.allCases,
                policy: KioskPolicy(
                    weakPINs: walk % 2 == 0 ? .warn : .refuse, identityChoice: walk % 4 < 2 ? .typed : .list),
                offersCards: walk % 7 < 4, ownNumber: walk % 300 == 0 ? nil : "1234", verifiesAddresses: walk % 11 == 0)
            for step in 0..<Self.length {
                walker.step(using: &generator)
                if let broken = walker.broken {
                    Issue.record("seed \(seed), walk \(walk), step \(step): \(broken)\n\(walker.history)")
                    return
                }
            }
            walker.stop()
            if let broken = walker.broken {
                Issue.record("seed \(seed), walk \(walk), at the end: \(broken)\n\(walker.history)")
                return
            }
            outcomes.formUnion(walker.outcomes)
            tasksOfCards.formUnion(walker.tasksOfCards)
            screens.add(walker.screens)
        }
        // Walks without results prove nothing.
        let reached: Set<SessionOutcome> = [
            .loggedIn, .codeIssued, .doorOpened, .doorFailed, .signed, .signatureRefused, .identityDeleted, .pinChanged,
            .unknownUser, .registered,
            .identityExists, .declined, .timedOut,
            .stopped, .outcomeUnknown, .wrongPIN, .triesUsed, .blocked, .revoked,
            .registrationFailed, .untrusted, .invalidCode, .unreachable, .sessionExpired, .failed,
        ]
        #expect(outcomes.isSuperset(of: reached), "missing: \(reached.subtracting(outcomes))")
        #expect(tasksOfCards == Set(KioskTask.allCases))
        #expect(
            screens.rows == table.rows,
            """
            docs/kiosk.md has not these rows:
            \(screens.text(besides: table))
            and has in their place:
            \(table.text(besides: screens))
            """)
    }
}
