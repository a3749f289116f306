// SPDX-License-Identifier: Apache-2.0

package import Encoding

/// Tables of values that expire.
package protocol VolatileStorage: Sendable {
    /// The table of a name. All callers in all processes share it.
    /// - Parameter bounds: the table's quota, always the same for one name.
    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value>
    /// A key of 32 bytes that seals values that others keep, such as a page's code. All processes of this storage have
    /// the same key for a name. A single process forgets its keys at a restart.
    /// - Throws: `BackendError.randomnessUnavailable`.
    func key(for name: String) throws(BackendError) -> SecretBytes
}

extension VolatileStorage {
    package func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableQuota = TableQuota()
    ) -> any VolatileTable<Key, Value> {
        table(name, bounds: bounds, of: Key.self, Value.self)
    }

    package func key(for _: String) throws(BackendError) -> SecretBytes { SecretBytes(try RandomBytes.make(32)) }
}

/// A cache of values that expire, with a quota, so that no flood fills the storage.
///
/// An entry has an owner if strangers can fill the table. Such an entry is never dropped in favour of another
/// owner's. A newcomer, an unauthenticated client, who has too many is refused. A person who has too many loses the
/// oldest of their own. A full table drops its oldest entries without an owner.
///
/// Each call is one transaction. `now` is the caller's time. Entries that expire at or before it are ignored.
package protocol VolatileTable<Key, Value>: Sendable {
    associatedtype Key: TableKey
    /// `Codable`, because a value may leave the process.
    associatedtype Value: Codable & Sendable

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>?
    /// Stores `value` for its owner, in place of an older value of the same key.
    /// - Parameter owner: nil for an entry without one. A full table drops the oldest of those.
    /// - Returns: whether the key is new. Of two calls at the same moment one is the first.
    /// - Throws: `Refusal` 429 for a newcomer whose address has too many, 503 when the table has no room for its owner;
    ///   `StorageError`. Then nothing has changed.
    @discardableResult
    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) async throws -> Bool
    /// Removes and returns the value. Of two calls at the same moment one gets it.
    @discardableResult
    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value?
    /// Reads and writes an entry in one transaction. Nil means no entry, before and after.
    /// - Parameters:
    ///   - owner: the owner of a new entry; nil for none.
    ///   - body: may be called more than once, so it must change nothing but its argument.
    /// - Throws: as an insertion of a new entry.
    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, of owner: EntryOwner?, now: WallTime,
        _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws -> Result
    /// Whether the table is full, as far as this process knows without asking the server. Logins look before they are
    /// checked, because their end needs an entry.
    /// - Returns: the refusal that an insertion of `owner` would get; nil when there seems to be room.
    func refusal(for owner: EntryOwner, now: WallTime) -> Refusal?
    /// Yields when the entry changes after this call: in any process if the table is watched, else in this one. A
    /// signal may get lost with a process, and may come without a change. So the caller reads the table then, and once
    /// more at its deadline.
    func changes(of key: Key) -> AsyncStream<Void>
    /// All values, the newest first.
    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value]
}

extension VolatileTable {
    package nonisolated(nonsending) func value(for key: Key, now: WallTime) async throws(StorageError) -> Value? {
        try await entry(for: key, now: now)?.value
    }

    /// Stores `value` without an owner. A full table drops the oldest entry without one.
    package nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, expires: WallTime, now: WallTime
    ) async throws(StorageError) {
        do { try await insert(value, for: key, of: nil, expires: expires, now: now) } catch {
            throw StorageError(refusing: error)
        }
    }

    /// A new entry has no owner.
    package nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, now: WallTime, _ body: @escaping @Sendable (inout TableEntry<Value>?) -> Result
    ) async throws(StorageError) -> Result {
        do { return try await change(key, of: nil, now: now, body) } catch { throw StorageError(refusing: error) }
    }

    /// Changes an existing value.
    package nonisolated(nonsending) func update(
        _ key: Key, now: WallTime, _ body: @escaping @Sendable (inout Value) -> Void
    ) async throws(StorageError) {
        try await change(key, now: now) { entry in
            guard var known = entry else { return }
            body(&known.value)
            entry = known
        }
    }
}

package struct TableEntry<Value: Sendable>: Sendable {
    package var value: Value
    package var expires: WallTime
    /// The owner. A change may remove it, but cannot set it.
    package var owner: EntryOwner?

    package init(value: Value, expires: WallTime, owner: EntryOwner? = nil) {
        self.value = value
        self.expires = expires
        self.owner = owner
    }
}

/// The key that an entry is found by.
package protocol TableKey: Hashable, Sendable {
    /// Unique bytes of the key in its table. A key may be a secret, so only its digest leaves the process.
    var bytes: [UInt8] { get }
}

extension String: TableKey {
    package var bytes: [UInt8] { Array(utf8) }
}

/// The owner of an entry of a table.
package enum EntryOwner: Hashable, Sendable {
    /// A sender who has proved nothing yet, known by address only.
    case newcomer(ClientAddress)
    /// A person who has proved a PIN, a mailed code or a password, by user id.
    case person(String)

    /// The client of the current request.
    package static var currentNewcomer: EntryOwner { .newcomer(.current) }

    package var isNewcomer: Bool { if case .newcomer = self { true } else { false } }
}

/// The quota of a table.
package struct TableQuota: Sendable {
    /// Entries in total.
    package var capacity = 4096
    /// Entries of all newcomers. The rest is reserved for people who have proved who they are.
    package var newcomers: Int
    /// Entries of the newcomers from one address.
    package var perAddress: Int
    package var perPerson = 64

    /// Whether pages wait for its entries, so that every process is notified of each change.
    package var isWatched = false

    /// The quota of logins under way and of people who are logged in. Newcomers have no more of it than elsewhere.
    package static var ofPeople: TableQuota {
        var bounds = TableQuota()
        bounds.capacity = 262_144
        return bounds
    }

    package var watched: TableQuota {
        var bounds = self
        bounds.isWatched = true
        return bounds
    }

    package init(capacity: Int = 4096) {
        self.capacity = capacity
        newcomers = capacity / 4 * 3
        perAddress = max(1, capacity / 16)
    }
}

/// The reason why a storage failed. Nothing of the call has happened, except that after a broken connection this is
/// unknown.
package struct StorageError: Error, Equatable {
    /// Text for the log, without statements and their arguments.
    package let reason: String

    package init(reason: String) { self.reason = reason }

    /// Wraps an error for a caller that does not expect a refusal.
    fileprivate init(refusing error: any Error) {
        self = error as? StorageError ?? StorageError(reason: "a table is full")
    }
}
