// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// A limit on strangers' wrong guesses within a period: by address, and in total. Right guesses cost nothing.
package struct GuessBudget: Sendable {
    let perAddress: Int
    /// After this number each address has one guess. An attacker with many addresses gets little more, and people who
    /// guess nothing do not notice.
    let inTotal: Int
    package let period: Duration

    private let guesses: any VolatileTable<ClientAddress, Int>
    private let totals: any VolatileTable<String, Int>

    /// - Parameter name: the prefix of its tables' names.
    package init(
        _ name: String, perAddress: Int, inTotal: Int = .max, period: Duration, in storage: any VolatileStorage
    ) {
        self.perAddress = perAddress
        self.inTotal = inTotal
        self.period = period
        guesses = storage.table(name)
        totals = storage.table(name + " in total", bounds: TableQuota(capacity: 1))
    }

    /// A guess that was counted.
    package struct Guess: Sendable {
        fileprivate let address: ClientAddress
        fileprivate let countsInTotal: Bool
    }

    /// Counts a guess before it is checked, so that guesses at the same moment do not exceed the limit.
    /// - Returns: nil when `address` has none left. Then nothing is counted.
    package nonisolated(nonsending) func take(from address: ClientAddress, now: WallTime) async throws(StorageError)
        -> Guess?
    {
        guard let count = try await add(1, to: address, in: guesses, below: perAddress, now) else { return nil }
        guard inTotal < .max else { return Guess(address: address, countsInTotal: false) }
        let countsInTotal = try await add(1, to: Self.total, in: totals, below: inTotal, now) != nil
        if countsInTotal || count == 1 { return Guess(address: address, countsInTotal: countsInTotal) }
        try await add(-1, to: address, in: guesses, now)
        return nil
    }

    /// Gives a right guess back.
    package nonisolated(nonsending) func giveBack(_ guess: Guess, now: WallTime) async throws(StorageError) {
        if guess.countsInTotal { try await add(-1, to: Self.total, in: totals, now) }
        try await add(-1, to: guess.address, in: guesses, now)
    }

    /// The time at which `address` may guess again.
    package nonisolated(nonsending) func end(
        for address: ClientAddress, now: WallTime
    ) async throws(StorageError) -> WallTime? {
        try await guesses.entry(for: address, now: now)?.expires
    }

    /// - Returns: the new count; nil when it was `bound` already and nothing changed.
    @discardableResult
    private nonisolated(nonsending) func add<Key>(
        _ number: Int, to key: Key, in table: any VolatileTable<Key, Int>, below bound: Int = .max, _ now: WallTime
    ) async throws(StorageError) -> Int? {
        let end = now + period
        return try await table.change(key, now: now) { entry in
            let known = entry?.value ?? 0
            guard known < bound else { return nil }
            let count = max(0, known + number)
            entry = count > 0 ? TableEntry(value: count, expires: entry?.expires ?? end) : nil
            return count
        }
    }

    private static let total = ""
}
