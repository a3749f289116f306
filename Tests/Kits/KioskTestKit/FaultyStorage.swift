// SPDX-License-Identifier: Apache-2.0

public import MPinClient

/// A store whose calls fail by a plan.
public final class FaultyStorage: IdentityStorage {
    private let storage: any IdentityStorage
    private let plan: FaultPlan

    public init(_ storage: any IdentityStorage, plan: FaultPlan) {
        self.storage = storage
        self.plan = plan
    }

    public func prepareToSave() async throws(IdentityStorageError) {
        try await perform("prepareToSave") { () async throws(IdentityStorageError) in
            try await storage.prepareToSave()
        }
    }

    public func identities() async throws(IdentityStorageError) -> [StoredIdentity] {
        try await perform("identities") { () async throws(IdentityStorageError) in try await storage.identities() }
    }

    @discardableResult
    public func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int {
        try await perform("save") { () async throws(IdentityStorageError) in try await storage.save(identity) }
    }

    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) {
        try await perform("remove") { () async throws(IdentityStorageError) in try await storage.remove(key) }
    }

    private func perform<Result: Sendable>(
        _ call: String, _ body: () async throws(IdentityStorageError) -> Result
    ) async throws(IdentityStorageError) -> Result {
        let fault = plan.store(call)
        switch fault {
        case nil: return try await body()
        case .full: throw IdentityStorageError(.full, detail: "planned fault")
        case .unavailable: throw IdentityStorageError(.unavailable, detail: "planned fault")
        case .afterwards:
            _ = try await body()
            throw IdentityStorageError(.unavailable, detail: "planned fault after the change")
        }
    }
}
