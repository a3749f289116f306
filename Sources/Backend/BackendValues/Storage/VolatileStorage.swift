// SPDX-License-Identifier: Apache-2.0

/// Tables of values that expire, and signals to those who wait for a change.
package protocol VolatileStorage: Sendable {
    /// The table of that name. All callers in all processes get the same one.
    /// - Parameter bounds: the table's bounds, always the same for one name.
    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value>

    /// 32 bytes that seal values kept elsewhere for this storage's processes, such as a page's code. All its
    /// processes get the same key for a name. With a single process a restart makes new keys.
    /// - Throws: `BackendError.randomnessUnavailable`.
    func key(for name: String) throws(BackendError) -> SecretBytes

    /// Whether a table is full, as far as this process knows without asking. Called before a login is judged that
    /// would need an entry there.
    /// - Returns: the refusal that an insertion for `owner` would get; nil when there seems to be room.
    func refusal(by name: String, for owner: EntryOwner, now: WallTime) -> Refusal?

    /// Wakes those who wait for `topic`, in every process.
    /// - Parameter message: the message that they get, if it arrives. No other program can send one.
    nonisolated(nonsending) func signal(_ topic: String, saying message: [UInt8]) async throws(StorageError)

    /// Does all `steps` in one transaction and one round trip, if each fits what this process last read. A storage
    /// without round trips does nothing.
    /// - Parameter steps: nil stands for a step that is impossible.
    /// - Returns: whether all steps were done. Otherwise nothing was done, and the caller does them one by one.
    nonisolated(nonsending) func attempt(_ steps: [(any VolatileStep)?]) async throws(StorageError) -> Bool

    /// A signal as a step.
    func signalling(_ topic: String, saying message: [UInt8]) -> (any VolatileStep)?

    /// Yields a message when `topic` is signalled after this call. A message may get lost with a process, and an
    /// empty one may come without cause, so the reader looks at the table then and once more at its deadline.
    func signals(_ topic: String) -> AsyncStream<[UInt8]>
}

extension VolatileStorage {
    package func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds = TableBounds()
    ) -> any VolatileTable<Key, Value> {
        table(name, bounds: bounds, of: Key.self, Value.self)
    }

    package func key(for _: String) throws(BackendError) -> SecretBytes { SecretBytes(try RandomBytes.make(32)) }

    package nonisolated(nonsending) func attempt(_: [(any VolatileStep)?]) async throws(StorageError) -> Bool { false }

    package func signalling(_: String, saying _: [UInt8]) -> (any VolatileStep)? { nil }
}

/// Values that expire, with bounds on their number, so that no flood fills the storage.
///
/// An entry has an owner if strangers can fill the table. Such an entry is never dropped in favour of another
/// owner's. A newcomer who has too many is refused, a person who has too many loses the oldest of their own. A full
/// table drops its oldest entries without an owner.
///
/// `now` is the caller's time: an entry that expires at `now` or before is gone.
package protocol VolatileTable<Key, Value>: Sendable {
    associatedtype Key: TableKey
    /// `Codable`, because a value may leave the process.
    associatedtype Value: Codable & Sendable

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>?

    /// The entry, for a page that asks every second: for some seconds this may be the state that this process read
    /// before, unless it heard of a change. Only tables whose bounds say that they are polled remember a state.
    /// - Parameter isWaiting: whether the remembered state still waits for something. If not, the entry is read
    ///   again.
    nonisolated(nonsending) func polledEntry(
        for key: Key, now: WallTime, while isWaiting: (TableEntry<Value>?) -> Bool
    ) async throws(StorageError) -> TableEntry<Value>?

    /// Stores `value` and replaces an older one of the same key. A full table drops its oldest entry without an
    /// owner.
    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, expires: WallTime, now: WallTime
    ) async throws(StorageError)

    /// Stores `value` for its owner and replaces an older one of the same key.
    /// - Returns: whether the key is new. Only one of two simultaneous callers gets true.
    /// - Throws: `Refusal` 429 for a newcomer whose address has too many, 503 when the table has no room for its
    ///   owner; `StorageError`. Then nothing has changed.
    @discardableResult
    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) async throws -> Bool

    /// Removes and returns the value. Only one of two simultaneous callers gets it.
    @discardableResult
    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value?

    /// Reads and writes an entry in one step. Nil stands for no entry, before and after. A new entry has no owner.
    /// - Parameter body: may be called more than once, so it changes nothing but its argument.
    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) async throws(StorageError) -> Result

    /// Yields a message when the entry changes after this call, in any process. Only polled tables report all
    /// changes. A message may get lost with a process, and one may come without cause, so the reader looks at the
    /// table then and once more at its deadline.
    func changes(of key: Key) -> AsyncStream<[UInt8]>

    /// All values, the newest first.
    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value]

    /// A change as a step of ``VolatileStorage/attempt(_:)``.
    /// - Parameter body: gets what this process last read, and returns whether it fits.
    /// - Returns: nil when it does not fit, and in a storage without attempts.
    func changing(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Bool
    ) -> (any VolatileStep)?

    /// The first insertion of a key as a step of ``VolatileStorage/attempt(_:)``.
    /// - Parameter owner: nil for an entry without one.
    func inserting(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) -> (any VolatileStep)?
}

/// A change that a storage makes together with others. Only the storage that made it can read it.
package protocol VolatileStep: Sendable {}

extension VolatileTable {
    package func changing(
        _: Key, now: WallTime, _: (inout TableEntry<Value>?) -> Bool
    ) -> (any VolatileStep)? { nil }

    package func inserting(
        _: Value, for _: Key, of _: EntryOwner?, expires _: WallTime, now _: WallTime
    ) -> (any VolatileStep)? { nil }

    package nonisolated(nonsending) func polledEntry(
        for key: Key, now: WallTime, while _: (TableEntry<Value>?) -> Bool
    ) async throws(StorageError) -> TableEntry<Value>? { try await entry(for: key, now: now) }

    package nonisolated(nonsending) func value(for key: Key, now: WallTime) async throws(StorageError) -> Value? {
        try await entry(for: key, now: now)?.value
    }

    /// Changes the value in place. Does nothing without an entry.
    package nonisolated(nonsending) func update(
        _ key: Key, now: WallTime, _ body: (inout Value) -> Void
    ) async throws(StorageError) {
        try await change(key, now: now) { entry in
            guard var known = entry else { return }
            body(&known.value)
            entry = known
        }
    }

    /// Moves the expiry to `expires` if that is later.
    package nonisolated(nonsending) func keep(
        _ key: Key, until expires: WallTime, now: WallTime
    ) async throws(StorageError) {
        try await change(key, now: now) { entry in
            guard let known = entry, known.expires < expires else { return }
            entry?.expires = expires
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
    /// Bytes that differ for different keys of a table. A key may be a secret: only its digest leaves the process.
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

    /// The sender of the request that is being answered.
    package static var currentNewcomer: EntryOwner { .newcomer(.current) }

    package var isNewcomer: Bool { if case .newcomer = self { true } else { false } }
}

/// The bounds of a table.
package struct TableBounds: Sendable {
    /// Entries in total.
    package var capacity = 4096
    /// Entries of all newcomers. The rest is reserved for people who have proved who they are.
    package var newcomers: Int
    /// Entries of the newcomers from one address.
    package var perAddress: Int
    package var perPerson = 64

    /// Factor for a storage that a fleet shares; the memory of one process grows by 16 at most. It raises the bound
    /// of people's entries, not that of newcomers'.
    package var growth = 1

    /// Whether pages ask for its entries every second. A shared storage then reports each change to all processes.
    package var polling = Polling.none

    package enum Polling: Sendable {
        /// `ofWhatIsThere` does not remember that an entry was absent, so no process is told of a new one.
        case none, ofWhatIsThere, ofAll
    }

    /// Bounds for what people have under way, and for people who are logged in.
    package static var ofPeople: TableBounds {
        var bounds = TableBounds()
        bounds.growth = 64
        return bounds
    }

    package func polled(_ polling: Polling) -> TableBounds {
        var bounds = self
        bounds.polling = polling
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
}

/// The origin of a request as bounds count it: an IPv4 address, or the first 64 bits of an IPv6 address, because one
/// household or attacker has all addresses below them.
package struct ClientAddress: TableKey, Codable {
    /// The sender of the current request. It travels with the request, also from the relying party to the RPS.
    @TaskLocal package static var current = ClientAddress.unknown

    /// Shared by all senders whose address is unknown.
    package static let unknown = ClientAddress(key: "")

    /// The address's bytes in hexadecimal digits.
    package let key: String

    package init(key: String) { self.key = key }

    package var bytes: [UInt8] { Array(key.utf8) }
}
