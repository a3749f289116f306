// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The users of a backend, for management commands. It may be used while the backend runs.
public struct BackendState: Sendable {
    let storage: any DurableStorage
    let clock: any WallClock

    /// Opens the users in the state directory of a backend.
    /// - Throws: `BackendError`.
    public init(directory: String) throws(BackendError) {
        try self.init(directory: directory, clock: SystemWallClock())
    }

    /// Opens the users in a database, as the backend's configuration names it.
    /// - Throws: `BackendError`.
    public init(database: String) throws(BackendError) {
        // A person waits, and reads lists of any length.
        let settings = Database.Settings(connections: 1, limit: .seconds(60))
        self.init(
            storage: try BackendStorage.postgreSQL(at: database, settings: settings).durable, clock: SystemWallClock())
    }

    init(directory: String, clock: any WallClock) throws(BackendError) {
        self.init(storage: try BackendDatabase(state: try StateDirectory(path: directory)), clock: clock)
    }

    init(storage: any DurableStorage, clock: any WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Every identity and every registration that has not expired, by user id and time.
    /// - Throws: `BackendError.database`.
    public func users() async throws(BackendError) -> [BackendUser] {
        let now = clock.now
        let listing = try await attempt { storage throws(StorageError) in try await storage.listing(now: now) }
        let cards = try await attempt { storage throws(StorageError) in try await storage.cards(of: nil, now: now) }
        let identities = listing.identities.map {
            BackendUser($0.identity, isRevoked: $0.isRevoked, card: cards[$0.identity.mpinID])
        }
        return (identities + listing.registrations.map { BackendUser($0) }).sorted { $0.precedes($1) }
    }

    /// Revokes all identities that `userID` has now: no permit, no login. The user may register again if the policy
    /// allows it.
    /// - Parameters:
    ///   - userID: in any spelling of it. So everywhere below.
    ///   - fingerprint: of the only identity that is meant; nil for all of them. So everywhere below.
    /// - Returns: how many identities were found.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func revoke(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        let now = clock.now
        return try await attempt { storage throws(StorageError) in try await storage.revoke(selection, now: now) }
    }

    /// Makes the devices of `userID` take new keys at their next login. Identities of the classic protocol cannot.
    /// - Returns: how many identities will.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func renew(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt { storage throws(StorageError) in try await storage.requestRenewal(of: selection) }
    }

    /// Forgets the wrong logins of all identities of `userID`.
    /// - Returns: how many identities were found.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func unblock(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt { storage throws(StorageError) in try await storage.forgetFailures(of: selection) }
    }

    /// Confirms all open registrations of `userID`, in place of the mail.
    /// - Returns: how many registrations were found.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func activate(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        let now = clock.now
        return try await attempt { storage throws(StorageError) in
            try await storage.activateRegistrations(of: selection, now: now)
        }
    }

    /// However the operator spells the user.
    static func selection(_ typed: String, _ fingerprint: String?) throws(BackendError) -> IdentitySelection {
        do { return IdentitySelection(userID: try UserID(typed).text, fingerprint: fingerprint) } catch {
            throw .invalidUserID("\(error)")
        }
    }

    func attempt<Value>(
        _ body: (any DurableStorage) async throws(StorageError) -> Value
    ) async throws(BackendError) -> Value {
        do { return try await body(storage) } catch { throw .database(error.reason) }
    }
}
