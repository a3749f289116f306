// SPDX-License-Identifier: Apache-2.0

import PostgreSQL

/// The users of a backend, for management commands. The backend may be running.
public struct BackendState: Sendable {
    let storage: any DurableStorage
    let clock: any WallClock

    /// Opens the users in a state directory.
    /// - Throws: `BackendError`.
    public init(directory: String) throws(BackendError) {
        try self.init(directory: directory, clock: SystemWallClock())
    }

    /// Opens the users in a database, named as in the backend's settings.
    /// - Throws: `BackendError`.
    public init(database: String) throws(BackendError) {
        // A person can wait longer than a login, for lists of any length.
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
        // In this order: one that becomes an identity meanwhile is missing in neither.
        let registrations = try await attempt { storage throws(StorageError) in
            try await storage.registrations(now: now)
        }
        let identities = try await attempt { storage throws(StorageError) in try await storage.identities(nil) }
        return (identities.map { BackendUser($0, now: now) } + registrations.map { BackendUser($0) })
            .sorted { $0.precedes($1) }
    }

    /// Revokes all present identities of `userID`: they get no permit and cannot log in. The user may register again
    /// if the policy allows it.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one identity to revoke; nil for all.
    /// - Returns: number of identities.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func revoke(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        let now = clock.now
        return try await attempt { storage throws(StorageError) in try await storage.revoke(selection, now: now) }
    }

    /// Tells the devices of `userID` to take new keys at their next login. Identities of the classic protocol cannot.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one identity to renew; nil for all.
    /// - Returns: number of identities that will take new keys.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func renew(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt { storage throws(StorageError) in
            try await storage.change(all: selection) { identity in
                guard identity.canRenew else { return false }
                identity.needsRenewal = true
                return true
            }
        }
    }

    /// Resets the wrong logins of the identities of `userID`.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one identity to unblock; nil for all.
    /// - Returns: number of identities.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func unblock(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt { storage throws(StorageError) in
            try await storage.change(all: selection) { identity in
                identity.forgetFailures()
                return true
            }
        }
    }

    /// Confirms the open registrations of `userID` instead of the mail.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one registration to confirm; nil for all.
    /// - Returns: number of registrations.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func activate(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        let now = clock.now
        return try await attempt { storage throws(StorageError) in
            var count = 0
            for registration in try await storage.registrations(now: now)
            where registration.userID == selection.userID && selection.contains(registration.mpinID) {
                let changed = try await storage.change(registrationOf: registration.mpinID, now: now) {
                    $0.active = true
                }
                if changed != nil { count += 1 }
            }
            return count
        }
    }

    /// The selection of a user, in any spelling.
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
