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
        var versions = 0
        var interference: (@Sendable () -> Void)?
    }

    public let isShared: Bool

    private let state = Mutex(State())

    /// - Parameter isShared: whether several clients are to have it.
    public init(_ identities: [StoredIdentity] = [], isShared: Bool = false) {
        self.isShared = isShared
        state.withLock { state in
            state.highestNumber = identities.compactMap(\.number).max() ?? 0
            for identity in identities {
                if isShared { state.versions += 1 }
                InMemoryStorage.save(identity, in: &state, number: identity.number)
            }
        }
    }

    /// While this is set, every call fails with it.
    public var failure: IdentityStorageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// How many times something was saved or removed.
    public var changes: Int { state.withLock { $0.changes } }

    /// While this is set, ``prepareToSave()`` fails with it, and saves do not.
    public var shortage: IdentityStorageError? {
        get { state.withLock { $0.shortage } }
        set { state.withLock { $0.shortage = newValue } }
    }

    /// What another client does right before this one's next save.
    public func beforeNextSave(_ act: @escaping @Sendable () -> Void) { state.withLock { $0.interference = act } }

    /// Saves as another client does.
    public func replace(_ identity: StoredIdentity) {
        state.withLock { state in
            state.versions += 1
            InMemoryStorage.save(identity, in: &state)
        }
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
        let isShared = isShared
        state.withLock { $0.interference.take() }?()
        let saved = try change { state -> Result<Int, IdentityStorageError> in
            let version = state.identities.first { $0.key == identity.key }?.version ?? 0
            guard !isShared || version == identity.version else {
                return .failure(IdentityStorageError(.changedElsewhere, detail: "saved by another client"))
            }
            state.changes += 1
            if isShared { state.versions += 1 }
            return .success(InMemoryStorage.save(identity, in: &state))
        }
        return try saved.get()
    }

    /// - Parameter number: of an identity that is new; nil is the next one.
    @discardableResult
    private static func save(_ identity: StoredIdentity, in state: inout State, number: Int? = nil) -> Int {
        let index = state.identities.firstIndex { $0.key == identity.key }
        let number = index.flatMap { state.identities[$0].number } ?? number ?? state.highestNumber + 1
        state.highestNumber = max(state.highestNumber, number)
        let stored = StoredIdentity(key: identity.key, record: identity.record, number: number, version: state.versions)
        if let index { state.identities[index] = stored } else { state.identities.append(stored) }
        return number
    }

    public func remove(_ key: IdentityKey, version: Int?) async throws(IdentityStorageError) {
        let isShared = isShared
        let isRemoved = try change { state -> Bool in
            let stored = state.identities.first { $0.key == key }
            if isShared, let stored, let version, stored.version != version { return false }
            state.changes += 1
            state.identities.removeAll { $0.key == key }
            return true
        }
        guard isRemoved else { throw IdentityStorageError(.changedElsewhere, detail: "saved by another client") }
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
