// SPDX-License-Identifier: Apache-2.0

import Patience
import Testing

@testable import BackendValues

@Suite struct ExpiringTableTests {
    private let start = WallTime(seconds: 1000)

    /// Bounds on people do not last longer because the clock was ahead.
    @Test func aClockThatIsSetBackLeavesWhatIsLeft() async throws {
        let tables = MemoryTables()
        let table: any VolatileTable<String, Int> = tables.table("guesses", bounds: TableQuota())
        let ahead = start + .seconds(365 * 86_400)
        try await table.insert(1, for: "a", expires: ahead + .seconds(300), now: ahead)
        #expect(try await table.entry(for: "a", now: start)?.expires == start + .seconds(300))
        #expect(try await table.entry(for: "a", now: start + .seconds(300)) == nil)
        // A request that arrives late does not count as a step of the clock.
        try await table.insert(2, for: "b", expires: start + .seconds(900), now: start + .seconds(300))
        #expect(try await table.entry(for: "b", now: start)?.expires == start + .seconds(900))
        // A step forward expires entries as usual.
        #expect(try await table.entry(for: "b", now: ahead) == nil)
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

    @Test func newcomersAreRefusedAndNothingElseGoes() throws {
        var table = ExpiringTable<Int, Int>(bounds: bounds)
        try table.insert(0, for: 0, of: .person("alice"), expires: start + .seconds(60), now: start)
        for number in 1...2 { try insert(number, from: 1) }
        func insert(_ number: Int, from address: Int) throws(Refusal) {
            try table.insert(
                number, for: number, of: newcomer(address), expires: start + .seconds(60 + number), now: start)
        }
        let tooMany = #expect(throws: Refusal.self) { try insert(3, from: 1) }
        #expect(tooMany?.code == 429 && tooMany?.headers["Retry-After"] == "61")
        try insert(3, from: 2)
        let full = #expect(throws: Refusal.self) { try insert(4, from: 3) }
        #expect(full?.code == 503 && full?.headers["Retry-After"] == "60")
        #expect((0...3).allSatisfy { table.value(for: $0, now: start) == $0 })
        // A newcomer's entry may change, and may become a person's.
        try insert(1, from: 1)
        try table.insert(1, for: 1, of: .person("bob"), expires: start + .seconds(60), now: start)
        try insert(4, from: 3)
        #expect(table.count == 5)
        // After the expiry there is room again.
        try table.insert(9, for: 9, of: newcomer(1), expires: start + .seconds(99), now: start + .seconds(70))
    }

    /// A refused entry drops nothing, also where a table of owners holds one more entry without an owner.
    @Test func aFullTableRefusesAndKeepsWhatItHas() throws {
        var table = ExpiringTable<Int, Int>(capacity: 1)
        let end = start + .seconds(60)
        try table.insert(0, for: 0, of: .person("alice"), expires: end, now: start)
        table.insert(1, for: 1, expires: end, now: start)
        for key in 1...2 {
            let refusal = #expect(throws: Refusal.self) {
                try table.insert(2, for: key, of: .person("bob"), expires: end, now: start)
            }
            #expect(refusal?.code == 503 && refusal?.headers["Retry-After"] == "60")
        }
        let foreseen = table.refusal(for: .person("bob"), now: start)
        #expect(foreseen?.code == 503)
        #expect(table.values(now: start) == [1, 0])
        let foreseenLater = table.refusal(for: .person("bob"), now: end)
        #expect(foreseenLater == nil)
    }

    /// Six entries in total, three of newcomers, two of one address, three of one person.
    private var bounds: TableQuota {
        var bounds = TableQuota(capacity: 6)
        (bounds.newcomers, bounds.perAddress, bounds.perPerson) = (3, 2, 3)
        return bounds
    }

    private func newcomer(_ number: Int) -> EntryOwner {
        .newcomer(ClientAddress(key: "\(number)"))
    }

    /// The bounds hold after any change, and only the owner's own entries leave early.
    @Test func theBoundsHoldWhateverHappens() {
        let seed: UInt64 = 0x0b0d5
        var generator = SplitMix64(seed: seed)
        var table = ExpiringTable<Int, Int>(bounds: bounds)
        var known: [Int: (owner: EntryOwner, expires: WallTime)] = [:]
        var now = start
        for step in 0..<5000 {
            now = now + .seconds(Int.random(in: 0...1, using: &generator))
            let key = Int.random(in: 0..<12, using: &generator)
            let number = Int.random(in: 0..<3, using: &generator)
            if Int.random(in: 0..<5, using: &generator) == 0 {
                table.remove(key, now: now)
                known[key] = nil
            } else {
                let owner = Bool.random(using: &generator) ? newcomer(number) : .person("user\(number)")
                let expires = now + .seconds(Int.random(in: 1...12, using: &generator))
                let isNew = known[key].map { $0.expires <= now } ?? true
                let foreseen = table.refusal(for: owner, now: now)
                do throws(Refusal) {
                    try table.insert(step, for: key, of: owner, expires: expires, now: now)
                    known[key] = (owner, expires)
                    #expect(foreseen == nil || !isNew, "seed \(seed), step \(step)")
                } catch {
                    #expect(error.code == 429 || error.code == 503)
                    #expect(error.code == foreseen?.code, "seed \(seed), step \(step)")
                }
                for (key, entry) in known where entry.expires > now && table.value(for: key, now: now) == nil {
                    #expect(entry.owner == owner && !owner.isNewcomer, "seed \(seed), step \(step)")
                    known[key] = nil
                }
            }
            known = known.filter { $0.value.expires > now }
            let newcomers = known.values.filter(\.owner.isNewcomer)
            #expect(table.count <= 6 && newcomers.count <= 3, "seed \(seed), step \(step)")
            for owner in Set(known.values.map(\.owner)) {
                let count = known.values.filter { $0.owner == owner }.count
                #expect(count <= (owner.isNewcomer ? 2 : 3), "seed \(seed), step \(step)")
            }
        }
    }

    /// Compares the table with a list that is searched each time.
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
