// SPDX-License-Identifier: Apache-2.0

/// The entries of a ``VolatileTable`` in memory, and its bounds. A full table is as fast as an empty one, so that a
/// flood costs no more than its requests.
package struct ExpiringTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expires: WallTime
        let number: UInt64
        let owner: EntryOwner?
    }

    /// The length up to which the age queue keeps deleted entries.
    private static var minimumQueueLength: Int { 2048 }
    /// The step back that is ignored: requests overtake each other, and small corrections of the clock affect no
    /// bound.
    private static var toleratedClockStep: Duration { .seconds(600) }

    private let bounds: TableQuota
    private var entries: [Key: Entry] = [:]
    private var nextNumber: UInt64 = 0
    /// The keys without an owner by age.
    private var ownerless = AgeQueue<Key>()
    /// The keys of each owner by age.
    private var keys: [EntryOwner: [Key]] = [:]
    /// Number of entries with an owner, and of those whose owner is a newcomer.
    private var (ownedCount, newcomerCount) = (0, 0)
    /// No entry expires before this time.
    private var firstExpiry: WallTime?
    /// The latest time that the clock has shown.
    private var latest: WallTime?

    package init(bounds: TableQuota = TableQuota()) { self.bounds = bounds }

    package init(capacity: Int) { self.init(bounds: TableQuota(capacity: capacity)) }

    package var count: Int { entries.count }

    /// Moves every expiry back with a clock that was set back, so that each entry keeps its remaining time. Otherwise
    /// bounds on people would last as long as the clock was ahead.
    package mutating func follow(_ now: WallTime) {
        let step = latest.map { $0 - now } ?? .zero
        guard step > Self.toleratedClockStep else {
            latest = latest.map { max($0, now) } ?? now
            return
        }
        entries = entries.mapValues {
            Entry(value: $0.value, expires: $0.expires - step, number: $0.number, owner: $0.owner)
        }
        firstExpiry = firstExpiry.map { $0 - step }
        latest = now
    }

    package func value(for key: Key, now: WallTime) -> Value? { entry(for: key, now: now)?.value }

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
        if entries.count >= bounds.capacity { removeExpired(now: now) }
        dropOwnerless()
        put(value, for: key, of: nil, expires: expires)
    }

    /// Stores `value` for its owner and replaces an older one of the same key. A person at the quota loses their
    /// oldest entry.
    /// - Throws: `Refusal` 429 for a newcomer whose address has too many, 503 when the table has no room for its
    ///   owner. Then nothing has changed.
    package mutating func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) throws(Refusal) {
        if entries[key]?.owner != owner {
            removeExpired(hindering: owner, now: now)
            let addsOwnedEntry = entries[key]?.owner == nil
            if let refusal = check(owner, addsOwnedEntry: addsOwnedEntry, now: now) { throw refusal }
            if isAtQuota(owner), let oldest = keys[owner]?.first { delete(oldest) }
        }
        delete(key)
        dropOwnerless()
        put(value, for: key, of: owner, expires: expires)
    }

    /// The refusal that a new entry of `owner` would get; nil when there is room.
    package mutating func refusal(for owner: EntryOwner, now: WallTime) -> Refusal? {
        removeExpired(hindering: owner, now: now)
        return check(owner, addsOwnedEntry: true, now: now)
    }

    /// The refusal that the counts demand; nil when there is room. Expired entries must have been removed before.
    /// - Parameter addsOwnedEntry: false if the entry replaces one that has an owner.
    private func check(_ owner: EntryOwner, addsOwnedEntry: Bool, now: WallTime) -> Refusal? {
        let isAtQuota = isAtQuota(owner)
        if owner.isNewcomer {
            if isAtQuota { return .tooMany(until: firstExpiry(of: owner), now) }
            if newcomerCount >= bounds.newcomers { return .full(until: firstExpiry, now) }
        }
        // Entries without an owner make room, and so does the oldest one of a person at the quota.
        let isFull = ownedCount >= bounds.capacity && !isAtQuota
        return addsOwnedEntry && isFull ? .full(until: firstExpiry, now) : nil
    }

    private func isAtQuota(_ owner: EntryOwner) -> Bool {
        keys[owner]?.count ?? 0 >= (owner.isNewcomer ? bounds.perAddress : bounds.perPerson)
    }

    private func firstExpiry(of owner: EntryOwner) -> WallTime? {
        (keys[owner] ?? []).compactMap { entries[$0]?.expires }.min()
    }

    private mutating func put(_ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime) {
        entries[key] = Entry(value: value, expires: expires, number: nextNumber, owner: owner)
        firstExpiry = firstExpiry.map { min($0, expires) } ?? expires
        if let owner {
            keys[owner, default: []].append(key)
            ownedCount += 1
            if owner.isNewcomer { newcomerCount += 1 }
        } else {
            ownerless.append(key, number: nextNumber)
            // Rare enough to cost a few steps per entry, and often enough to bound the memory.
            if ownerless.length > max(2 * entries.count, Self.minimumQueueLength) {
                ownerless.removeAll { [entries] in entries[$0]?.number != $1 }
            }
        }
        nextNumber += 1
    }

    @discardableResult
    private mutating func delete(_ key: Key) -> Entry? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        if let owner = entry.owner {
            if let place = keys[owner]?.firstIndex(of: key) { keys[owner]?.remove(at: place) }
            if keys[owner]?.isEmpty == true { keys[owner] = nil }
            ownedCount -= 1
            if owner.isNewcomer { newcomerCount -= 1 }
        }
        return entry
    }

    private mutating func removeExpired(now: WallTime) {
        guard let firstExpiry, firstExpiry <= now else { return }
        for (key, entry) in entries where entry.expires <= now { delete(key) }
        self.firstExpiry = entries.values.map(\.expires).min()
    }

    /// Removes expired entries where a count has reached its bound.
    private mutating func removeExpired(hindering owner: EntryOwner, now: WallTime) {
        guard let firstExpiry, firstExpiry <= now else { return }
        if isAtQuota(owner) {
            for key in keys[owner] ?? [] where entries[key].map({ $0.expires <= now }) == true { delete(key) }
        }
        let isFull = owner.isNewcomer && newcomerCount >= bounds.newcomers || entries.count >= bounds.capacity
        if isFull { removeExpired(now: now) }
    }

    /// Drops the oldest entries without an owner until there is room for another entry.
    private mutating func dropOwnerless() {
        while entries.count >= bounds.capacity, let (key, number) = ownerless.popFirst() {
            if entries[key]?.number == number { delete(key) }
        }
    }

    /// Reads and writes an entry in one step. Nil means no entry, before and after. A new entry has no owner. An
    /// existing entry may lose its owner.
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
        let losesOwner = known?.owner != nil && entry.owner == nil
        guard known != nil, !losesOwner else {
            insert(entry.value, for: key, expires: entry.expires, now: now)
            return result
        }
        entries[key]?.value = entry.value
        entries[key]?.expires = entry.expires
        firstExpiry = firstExpiry.map { min($0, entry.expires) }
        return result
    }

    /// Reads and writes an entry in one step, as above; a new entry belongs to the owner.
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

/// Keys by age, with the numbers of their entries. Deleted entries may still be listed.
private struct AgeQueue<Key: Sendable>: Sendable {
    private var items: [(key: Key, number: UInt64)] = []
    private var first = 0

    /// Number of items in memory, including those that were read.
    var length: Int { items.count }

    mutating func append(_ key: Key, number: UInt64) { items.append((key, number)) }

    mutating func popFirst() -> (key: Key, number: UInt64)? {
        guard first < items.count else { return nil }
        defer { first += 1 }
        return items[first]
    }

    mutating func removeAll(where isDeleted: (Key, UInt64) -> Bool) {
        items = items[first...].filter { !isDeleted($0.key, $0.number) }
        first = 0
    }
}
