// SPDX-License-Identifier: Apache-2.0

/// The entries of a ``VolatileTable`` in memory, and its bounds. A full table is as fast as an empty one, so that a
/// flood costs no more than its requests.
package struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        package var value: Value
        var expires: WallTime
        let number: UInt64
        let owner: EntryOwner?
    }

    private static var fewest: Int { 1024 }

    private let bounds: TableQuota
    private var entries: [Key: Entry] = [:]
    private var nextNumber: UInt64 = 0
    /// Keys without an owner by age, from `oldest` on, with their entries' numbers. Deleted entries may still be
    /// listed.
    private var ages: [(number: UInt64, key: Key)] = []
    private var oldest = 0
    /// The keys of each owner by age.
    private var keys: [EntryOwner: [Key]] = [:]
    private var newcomers = 0
    /// No entry expires before this time.
    private var firstExpiry: WallTime?
    /// The latest time that the clock has shown.
    private var latest: WallTime?

    /// The step back that is ignored: requests overtake each other, and small corrections of the clock affect no
    /// bound.
    private static var smallestStep: Duration { .seconds(600) }

    package init(bounds: TableQuota = TableQuota()) { self.bounds = bounds }

    package init(capacity: Int) { self.init(bounds: TableQuota(capacity: capacity)) }

    package var count: Int { entries.count }

    /// Moves every expiry back with a clock that was set back, so that each entry keeps its remaining time. Otherwise
    /// bounds on people would last as long as the clock was ahead.
    package mutating func follow(_ now: WallTime) {
        let step = latest.map { $0 - now } ?? .zero
        guard step > Self.smallestStep else {
            latest = latest.map { max($0, now) } ?? now
            return
        }
        let back = .zero - step
        entries = entries.mapValues {
            Entry(value: $0.value, expires: $0.expires + back, number: $0.number, owner: $0.owner)
        }
        firstExpiry = firstExpiry.map { $0 + back }
        latest = now
    }

    package func value(for key: Key, now: WallTime) -> Value? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return entry.value
    }

    package func entry(for key: Key, now: WallTime) -> TableEntry<Value>? {
        guard let entry = entries[key], entry.expires > now else { return nil }
        return TableEntry(value: entry.value, expires: entry.expires, owner: entry.owner)
    }

    /// All values, the newest first.
    package func values(now: WallTime) -> [Value] {
        entries.values.filter { $0.expires > now }.sorted { $0.number > $1.number }.map(\.value)
    }

    /// Stores `value` and replaces an older one of the same key. A full table drops its oldest entry without an
    /// owner.
    package mutating func insert(_ value: Value, for key: Key, expires: WallTime, now: WallTime) {
        delete(key)
        if entries.count >= bounds.capacity { removeExpired(now) }
        while entries.count >= bounds.capacity, oldest < ages.count { removeOldest() }
        put(value, for: key, of: nil, expires: expires)
        ages.append((nextNumber - 1, key))
        // Rare enough to cost a few steps per entry, and often enough to bound the memory.
        if ages.count > 2 * max(entries.count, Self.fewest) { forgetAgesOfTheGone() }
    }

    /// Stores `value` for its owner and replaces an older one of the same key.
    /// - Throws: `Refusal` 429 for a newcomer whose address has too many, 503 when the table has no room for its
    ///   owner. Then nothing has changed.
    package mutating func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) throws(Refusal) {
        let known = entries[key]
        if known?.owner != owner { try makeRoom(for: owner, known == nil ? 1 : 0, now) }
        delete(key)
        put(value, for: key, of: owner, expires: expires)
        keys[owner, default: []].append(key)
        if owner.isNewcomer { newcomers += 1 }
    }

    /// The refusal that a new entry of `owner` would get; nil when there is room.
    package func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? {
        var copy = self
        do { try copy.makeRoom(for: owner, 1, now) } catch { return error }
        return nil
    }

    /// - Parameter growth: number of entries that are added.
    private mutating func makeRoom(for owner: EntryOwner, _ growth: Int, _ now: WallTime) throws(Refusal) {
        let bound = owner.isNewcomer ? bounds.perAddress : bounds.perPerson
        if keys[owner]?.count ?? 0 >= bound, let firstExpiry, firstExpiry <= now {
            for key in keys[owner] ?? [] where entries[key].map({ $0.expires <= now }) == true { delete(key) }
        }
        if owner.isNewcomer, keys[owner]?.count ?? 0 >= bound { throw .tooMany(until: firstExpiry(of: owner), now) }
        if owner.isNewcomer, newcomers >= bounds.newcomers {
            removeExpired(now)
            if newcomers >= bounds.newcomers { throw .full(until: firstExpiry, now) }
        }
        if !owner.isNewcomer, keys[owner]?.count ?? 0 >= bound, let first = keys[owner]?.first { delete(first) }
        if entries.count + growth > bounds.capacity { removeExpired(now) }
        while entries.count + growth > bounds.capacity, oldest < ages.count { removeOldest() }
        if entries.count + growth > bounds.capacity { throw .full(until: firstExpiry, now) }
    }

    private func firstExpiry(of owner: EntryOwner) -> WallTime? {
        (keys[owner] ?? []).compactMap { entries[$0]?.expires }.min()
    }

    private mutating func put(_ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime) {
        entries[key] = Entry(value: value, expires: expires, number: nextNumber, owner: owner)
        firstExpiry = firstExpiry.map { min($0, expires) } ?? expires
        nextNumber += 1
    }

    @discardableResult
    private mutating func delete(_ key: Key) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        if let owner = entry.owner {
            if let place = keys[owner]?.firstIndex(of: key) { keys[owner]?.remove(at: place) }
            if keys[owner]?.isEmpty == true { keys[owner] = nil }
            if owner.isNewcomer { newcomers -= 1 }
        }
        return entry
    }

    private mutating func removeExpired(_ now: WallTime) {
        guard let firstExpiry, firstExpiry <= now else { return }
        for (key, entry) in entries where entry.expires <= now { delete(key) }
        self.firstExpiry = entries.values.map(\.expires).min()
    }

    private mutating func removeOldest() {
        let (number, key) = ages[oldest]
        oldest += 1
        if entries[key]?.number == number { delete(key) }
    }

    private mutating func forgetAgesOfTheGone() {
        ages = ages[oldest...].filter { entries[$0.key]?.number == $0.number }
        oldest = 0
    }

    /// Reads and writes an entry in one step. Nil stands for no entry, before and after. A new entry has no owner. An
    /// old one may give its owner up.
    package mutating func change<Result>(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) -> Result {
        let known = entry(for: key, now: now)
        var entry = known
        let result = body(&entry)
        guard let entry else {
            if known != nil { delete(key) }
            return result
        }
        guard let known, known.owner == nil || entry.owner != nil else {
            insert(entry.value, for: key, expires: entry.expires, now: now)
            return result
        }
        entries[key]?.value = entry.value
        entries[key]?.expires = entry.expires
        firstExpiry = firstExpiry.map { min($0, entry.expires) }
        return result
    }

    /// The same; but a new entry is its owner's.
    /// - Throws: `Refusal`, as for an insertion. Then nothing has changed.
    package mutating func change<Result>(
        _ key: Key, of owner: EntryOwner, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) throws(Refusal) -> Result {
        guard entry(for: key, now: now) == nil else { return change(key, now: now, body) }
        var entry: TableEntry<Value>?
        let result = body(&entry)
        if let entry { try insert(entry.value, for: key, of: owner, expires: entry.expires, now: now) }
        return result
    }

    @discardableResult
    package mutating func remove(_ key: Key, now: WallTime) -> Value? {
        guard let entry = delete(key), entry.expires > now else { return nil }
        return entry.value
    }
}
