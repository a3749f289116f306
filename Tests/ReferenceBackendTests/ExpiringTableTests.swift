// SPDX-License-Identifier: Apache-2.0

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
}
