// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import ReferenceBackend

@Suite struct ExpiringTableTests {
    private let start = WallTime(seconds: 1000)

    @Test func aValueIsForgottenInTime() {
        var table = ExpiringTable<String, Int>(capacity: 4)
        table.insert(1, for: "a", expires: start + .seconds(5), now: start)
        #expect(table.value(for: "a", now: start + .seconds(4)) == 1)
        #expect(table.value(for: "a", now: start + .seconds(5)) == nil)
        #expect(table.remove("a", now: start + .seconds(5)) == nil)
        #expect(table.count == 0)
    }

    @Test func theOldestGoesFirst() {
        var table = ExpiringTable<Int, Int>(capacity: 3)
        for number in 0..<5 { table.insert(number, for: number, expires: start + .seconds(60), now: start) }
        #expect((0..<5).map { table.value(for: $0, now: start) } == [nil, nil, 2, 3, 4])
    }

    @Test func whatHasExpiredGoesBeforeTheOldest() {
        var table = ExpiringTable<Int, Int>(capacity: 2)
        table.insert(0, for: 0, expires: start + .seconds(60), now: start)
        table.insert(1, for: 1, expires: start + .seconds(1), now: start)
        table.insert(2, for: 2, expires: start + .seconds(60), now: start + .seconds(2))
        #expect(table.value(for: 0, now: start + .seconds(2)) == 0)
    }

    @Test func aNewValueOfAKeyTakesTheOldOnesPlace() {
        var table = ExpiringTable<Int, Int>(capacity: 2)
        table.insert(0, for: 0, expires: start + .seconds(1), now: start)
        table.insert(1, for: 0, expires: start + .seconds(60), now: start)
        #expect(table.count == 1)
        #expect(table.value(for: 0, now: start + .seconds(30)) == 1)
    }

    /// Against one that looks through everything every time.
    @Test func itForgetsWhatAPlainListWould() {
        let seed: UInt64 = 0x7ab1e
        var generator = SplitMix64(seed: seed)
        let capacity = 5
        var table = ExpiringTable<Int, Int>(capacity: capacity)
        var list: [(key: Int, value: Int, expires: WallTime)] = []
        var now = start
        for step in 0..<5000 {
            now = now + .seconds(Int.random(in: 0...2, using: &generator))
            let key = Int.random(in: 0..<9, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                table.remove(key, now: now)
                list.removeAll { $0.key == key }
            } else {
                let expires = now + .seconds(Int.random(in: 1...12, using: &generator))
                table.insert(step, for: key, expires: expires, now: now)
                list.removeAll { $0.key == key }
                if list.count >= capacity { list.removeAll { $0.expires <= now } }
                if list.count >= capacity { list.removeFirst() }
                list.append((key, step, expires))
            }
            for key in 0..<9 {
                let expected = list.first { $0.key == key && $0.expires > now }?.value
                #expect(table.value(for: key, now: now) == expected, "seed \(seed), step \(step)")
            }
        }
    }
}
