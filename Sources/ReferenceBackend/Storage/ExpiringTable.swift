// SPDX-License-Identifier: Apache-2.0

/// Values that are forgotten after a while, and a bound on how many there are: when it is full, the oldest goes.
struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expires: WallTime
        let number: UInt64
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var nextNumber: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    func value(for key: Key, now: WallTime) -> Value? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.value
    }

    /// Stores `value`, in place of an older one of the same key.
    mutating func insert(_ value: Value, for key: Key, expires: WallTime, now: WallTime) {
        entries[key] = nil
        if entries.count >= capacity { entries = entries.filter { $0.value.expires > now } }
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.number < $1.value.number }) {
            entries[oldest.key] = nil
        }
        entries[key] = Entry(value: value, expires: expires, number: nextNumber)
        nextNumber += 1
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
