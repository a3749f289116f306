// SPDX-License-Identifier: Apache-2.0

/// How many wrong guesses strangers have within a time: by address, and all together. What is right costs nothing.
struct GuessBudget: Sendable {
    let perAddress: Int
    /// After as many in all, each address has one guess alone: an attacker with many addresses gets little more than
    /// these, and who guesses nothing does not notice.
    let inTotal: Int
    let period: Duration

    private let guesses: any VolatileTable<ClientAddress, Int>
    private let totals: any VolatileTable<String, Int>

    /// - Parameter name: of its tables.
    init(
        _ name: String, perAddress: Int, inTotal: Int = .max, period: Duration, in storage: any VolatileStorage
    ) {
        self.perAddress = perAddress
        self.inTotal = inTotal
        self.period = period
        guesses = storage.table(name)
        totals = storage.table(name + " in total", bounds: TableBounds(capacity: 1))
    }

    /// Whether what comes from `address` is looked at.
    nonisolated(nonsending) func admits(_ address: ClientAddress, now: WallTime) async throws(StorageError) -> Bool {
        var bound = perAddress
        if inTotal < .max, try await totals.value(for: Self.total, now: now) ?? 0 >= inTotal { bound = 1 }
        return try await guesses.value(for: address, now: now) ?? 0 < bound
    }

    /// When `address` may guess again.
    nonisolated(nonsending) func end(
        for address: ClientAddress, now: WallTime
    ) async throws(StorageError) -> WallTime? {
        try await guesses.entry(for: address, now: now)?.expires
    }

    nonisolated(nonsending) func count(from address: ClientAddress, now: WallTime) async throws(StorageError) {
        if inTotal < .max { try await count(Self.total, in: totals, now) }
        try await count(address, in: guesses, now)
    }

    private nonisolated(nonsending) func count<Key>(
        _ key: Key, in table: any VolatileTable<Key, Int>, _ now: WallTime
    ) async throws(StorageError) {
        let end = now + period
        try await table.change(key, now: now) { entry in
            entry = TableEntry(value: (entry?.value ?? 0) + 1, expires: entry?.expires ?? end)
        }
    }

    private static let total = ""
}
