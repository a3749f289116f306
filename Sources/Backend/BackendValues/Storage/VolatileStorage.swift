// SPDX-License-Identifier: Apache-2.0

/// Tables of what is forgotten in time, and how those who wait hear of a change.
package protocol VolatileStorage: Sendable {
    /// The table of that name: the same one for all who ask, in every process.
    /// - Parameter bounds: how much it holds; of one name always the same.
    func table<Key: TableKey, Value: Codable & Sendable>(
        _ name: String, bounds: TableBounds, of _: Key.Type, _: Value.Type
    ) -> any VolatileTable<Key, Value>

    /// 32 bytes that seal what others keep for this storage's processes, such as a page's code: the same for all of
    /// them, and for no other name. Where there is one process alone, a restart forgets them.
    /// - Throws: `BackendError.randomnessUnavailable`.
    func key(for name: String) throws(BackendError) -> SecretBytes

    /// Whether a table is full, as far as this process knows without asking: before a login is judged whose end would
    /// need a place there.
    /// - Returns: the refusal that an insertion of `owner` would get; nil when there seems to be room.
    func refusal(by name: String, for owner: EntryOwner, now: WallTime) -> Refusal?

    /// Wakes those who wait for `topic`, in every process.
    /// - Parameter message: what they hear, if it arrives; no other program can have said it.
    nonisolated(nonsending) func signal(_ topic: String, saying message: [UInt8]) async throws(StorageError)

    /// Does all of `steps` in one round trip and one transaction, if each fits what this process saw last. Where a
    /// round trip costs nothing, nothing is tried.
    /// - Parameter steps: nil for one that cannot be.
    /// - Returns: whether it has happened. Else nothing has, and the caller does one after the other.
    nonisolated(nonsending) func attempt(_ steps: [(any VolatileStep)?]) async throws(StorageError) -> Bool

    /// To signal, as a step.
    func signalling(_ topic: String, saying message: [UInt8]) -> (any VolatileStep)?

    /// Yields a message when `topic` was signalled after this call. One may get lost with a process, and an empty one
    /// may come for nothing: who waits looks at the table then, and once more at the deadline.
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

/// Values that are forgotten after a while, and bounds on how many there are, so that no flood fills the storage.
///
/// An entry has an owner if strangers can fill the table. What is a newcomer's or a person's is never given up for
/// another one's: newcomers are refused when they have too much, a person who has too much loses the own oldest.
/// Entries without an owner go when the table is full, the oldest first.
///
/// Everything runs where the caller does. `now` is the caller's time: what expires before or at it is not there.
package protocol VolatileTable<Key, Value>: Sendable {
    associatedtype Key: TableKey
    /// `Codable`, because it may leave the process.
    associatedtype Value: Codable & Sendable

    nonisolated(nonsending) func entry(for key: Key, now: WallTime) async throws(StorageError) -> TableEntry<Value>?

    /// The same for a page that asks every second: for some seconds it may be what this process has read before, unless
    /// a change of it was heard of. Only tables whose bounds say that they are polled remember anything.
    /// - Parameter isWaiting: whether what was read says that nothing has come of it yet: else it is read again.
    nonisolated(nonsending) func polledEntry(
        for key: Key, now: WallTime, while isWaiting: (TableEntry<Value>?) -> Bool
    ) async throws(StorageError) -> TableEntry<Value>?

    /// Stores `value`, in place of an older one of the same key. In a full table the oldest entry without an owner
    /// goes.
    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, expires: WallTime, now: WallTime
    ) async throws(StorageError)

    /// Stores `value` as its owner's, in place of an older one of the same key.
    /// - Returns: whether there was none: of two at the same moment one is the first.
    /// - Throws: `Refusal` 429 for a newcomer whose address has too many, 503 when the table has no room for its owner;
    ///   `StorageError`. Then nothing has changed.
    @discardableResult
    nonisolated(nonsending) func insert(
        _ value: Value, for key: Key, of owner: EntryOwner, expires: WallTime, now: WallTime
    ) async throws -> Bool

    /// The value, once: of two at the same moment one gets it.
    @discardableResult
    nonisolated(nonsending) func take(_ key: Key, now: WallTime) async throws(StorageError) -> Value?

    /// Reads and writes in one: nil is no entry, before and after. A new entry has no owner.
    /// - Parameter body: may be called more than once, so it changes nothing but its argument.
    nonisolated(nonsending) func change<Result: Sendable>(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Result
    ) async throws(StorageError) -> Result

    /// Yields something when the entry changes after this call, in any process. Only tables whose bounds say that they
    /// are polled tell of all changes. One may get lost with a process, and one may come for nothing: the caller looks
    /// at the table then, and once more at its deadline.
    func changes(of key: Key) -> AsyncStream<[UInt8]>

    /// All of them, the newest first.
    nonisolated(nonsending) func values(now: WallTime) async throws(StorageError) -> [Value]

    /// A change as a step of ``VolatileStorage/attempt(_:)``.
    /// - Parameter body: sees what this process saw last, and says whether it fits.
    /// - Returns: nil when it does not, and where there are no attempts.
    func changing(
        _ key: Key, now: WallTime, _ body: (inout TableEntry<Value>?) -> Bool
    ) -> (any VolatileStep)?

    /// The first insertion of a key as such a step.
    /// - Parameter owner: nil for an entry without one.
    func inserting(
        _ value: Value, for key: Key, of owner: EntryOwner?, expires: WallTime, now: WallTime
    ) -> (any VolatileStep)?
}

/// A change that a ``VolatileTable`` makes together with changes of others. Only the storage that made it understands
/// it.
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

    /// Changes the value in place; does nothing when there is none.
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
    /// A change may give an owner up, and sets none.
    package var owner: EntryOwner?

    package init(value: Value, expires: WallTime, owner: EntryOwner? = nil) {
        self.value = value
        self.expires = expires
        self.owner = owner
    }
}

/// The key that an entry is found by.
package protocol TableKey: Hashable, Sendable {
    /// Different for different keys of a table. A key may be a secret: outside of the process only its digest is kept.
    var bytes: [UInt8] { get }
}

extension String: TableKey {
    package var bytes: [UInt8] { Array(utf8) }
}

/// The owner of an entry of a table.
package enum EntryOwner: Hashable, Sendable {
    /// Somebody who has proved nothing yet. Only the address that the request came from is known.
    case newcomer(ClientAddress)
    /// A person who has proved a PIN, a code of a mail or a password, by user id.
    case person(String)

    /// The sender of the request that is being answered.
    package static var currentNewcomer: EntryOwner { .newcomer(.current) }

    package var isNewcomer: Bool { if case .newcomer = self { true } else { false } }
}

/// How much a table holds.
package struct TableBounds: Sendable {
    /// In all.
    package var capacity = 4096
    /// Of newcomers together: the rest is kept for people who have proved who they are.
    package var newcomers: Int
    /// Of newcomers from one address.
    package var perAddress: Int
    package var perPerson = 64

    /// How many times as much a storage holds that a whole fleet shares, and the memory of one process up to 16 times:
    /// what is people's own grows with them. What newcomers may have does not.
    package var growth = 1

    /// Whether pages ask for its entries every second: a storage that a fleet shares tells all processes of each
    /// change.
    package var polling = Polling.none

    package enum Polling: Sendable {
        /// A page asks for what is there: that it was not is not remembered, so that no process hears what comes.
        case none, ofWhatIsThere, ofAll
    }

    /// Of what people have under way, or who are logged in.
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

/// Why a storage did not do what it was asked. Nothing of the call has happened; but where a connection to another
/// machine broke off in the middle, that is not known.
package struct StorageError: Error, Equatable {
    /// For the log: without statements and their arguments.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// Where a request comes from, as far as bounds are concerned: an IPv4 address, or the first 64 bits of an IPv6
/// address, because one household or one attacker has all addresses below them.
package struct ClientAddress: TableKey, Codable {
    /// Of the request that is being answered. It travels with the request, also from the relying party to the RPS.
    @TaskLocal package static var current = ClientAddress.unknown

    /// One for all whose address cannot be known.
    package static let unknown = ClientAddress(key: "")

    /// The address's bytes in hexadecimal digits.
    package let key: String

    package init(key: String) { self.key = key }

    package var bytes: [UInt8] { Array(key.utf8) }
}
