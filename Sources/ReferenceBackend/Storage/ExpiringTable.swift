// SPDX-License-Identifier: Apache-2.0

/// Values that are forgotten after a while, and a bound on how many there are: when it is full, expired ones go, or else the
/// oldest. A full table is as fast as an empty one, so that a flood costs no more than its requests.
struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expires: WallTime
        let number: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var nextNumber: UInt64 = 0
    /// Keys by age from `oldest` on, with the numbers of their entries; also of entries that are gone.
    private var ages: [(number: UInt64, key: Key)] = []
    private var oldest = 0
    /// Nothing expires before.
    private var firstExpiry: WallTime?

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    func value(for key: Key, now: WallTime) -> Value? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.value
    }

    func expiry(of key: Key) -> WallTime? { entries[key]?.expires }

    /// Stores `value`, in place of an older one of the same key.
    mutating func insert(_ value: Value, for key: Key, expires: WallTime, now: WallTime) {
        entries[key] = nil
        if entries.count >= capacity, let firstExpiry, firstExpiry <= now { removeExpired(now) }
        while entries.count >= capacity, oldest < ages.count { removeOldest() }
        entries[key] = Entry(value: value, expires: expires, number: nextNumber)
        firstExpiry = firstExpiry.map { min($0, expires) } ?? expires
        ages.append((nextNumber, key))
        nextNumber += 1
        if ages.count > 2 * capacity { forgetAgesOfTheGone() }
    }

    private mutating func removeExpired(_ now: WallTime) {
        entries = entries.filter { $0.value.expires > now }
        firstExpiry = entries.values.map(\.expires).min()
    }

    private mutating func removeOldest() {
        let (number, key) = ages[oldest]
        oldest += 1
        if entries[key]?.number == number { entries[key] = nil }
    }

    private mutating func forgetAgesOfTheGone() {
        ages = ages[oldest...].filter { entries[$0.key]?.number == $0.number }
        oldest = 0
    }

    /// Changes the value in place; does nothing when there is none.
    mutating func update(_ key: Key, now: WallTime, _ change: (inout Value) -> Void) {
        guard var entry = entries[key], entry.expires > now else { return }
        change(&entry.value)
        entries[key] = entry
    }

    /// Moves the expiry to `expires` if that is later.
    mutating func keep(_ key: Key, until expires: WallTime) {
        guard let entry = entries[key], entry.expires < expires else { return }
        entries[key]?.expires = expires
    }

    @discardableResult
    mutating func remove(_ key: Key, now: WallTime) -> Value? {
        guard let entry = entries.removeValue(forKey: key), entry.expires > now else { return nil }
        return entry.value
    }
}
