// SPDX-License-Identifier: Apache-2.0

import LoginValues
public import MPinClient
import Synchronization

/// Identities in memory, with saves that fail when a test wants them to.
public final class InMemoryStorage: IdentityStorage {
    private struct State {
        var identities: [StoredIdentity] = []
        var highestNumber = 0
        var failure: IdentityStorageError?
        var shortage: IdentityStorageError?
        var changes = 0
    }

    private let state = Mutex(State())

    public init(_ identities: [StoredIdentity] = []) {
        state.withLock { state in
            state.highestNumber = identities.compactMap(\.number).max() ?? 0
            for identity in identities { InMemoryStorage.save(identity, in: &state, number: identity.number) }
        }
    }

    /// The error of every call, if set.
    public var failure: IdentityStorageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Number of saves and removals.
    public var changes: Int { state.withLock { $0.changes } }

    /// The error of ``prepareToSave()``, if set. Saves still work.
    public var shortage: IdentityStorageError? {
        get { state.withLock { $0.shortage } }
        set { state.withLock { $0.shortage = newValue } }
    }

    public func prepareToSave() async throws(IdentityStorageError) {
        if let shortage { throw shortage }
        try change { _ in }
    }

    public func identities() async throws(IdentityStorageError) -> [StoredIdentity] {
        try change { $0.identities }
    }

    @discardableResult
    public func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        guard identity.record.count <= StoredIdentity.maximumRecordLength else {
            throw IdentityStorageError(
                .recordTooLong,
                detail: "the record has \(identity.record.count) bytes, at most "
                    + "\(StoredIdentity.maximumRecordLength) are stored")
        }
        return try change { state in
            state.changes += 1
            return InMemoryStorage.save(identity, in: &state)
        }
    }

    /// - Parameter number: the number of a new identity; nil for the next one.
    @discardableResult
    private static func save(_ identity: StoredIdentity, in state: inout State, number: Int? = nil) -> Int {
        let index = state.identities.firstIndex { $0.key == identity.key }
        let number = index.flatMap { state.identities[$0].number } ?? number ?? state.highestNumber + 1
        state.highestNumber = max(state.highestNumber, number)
        let stored = StoredIdentity(key: identity.key, record: identity.record, number: number)
        if let index { state.identities[index] = stored } else { state.identities.append(stored) }
        return number
    }

    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        try change { state in
            state.changes += 1
            state.identities.removeAll { $0.key == key }
        }
    }

    private func change<Result: Sendable>(
        _ body: (inout sending State) -> sending Result
    ) throws(IdentityStorageError) -> Result {
        try state.withLock { state throws(IdentityStorageError) in
            if let failure = state.failure { throw failure }
            return body(&state)
        }
    }
}
