// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The users of a backend, for management commands. The backend may be running.
package struct BackendState: Sendable {
    package let storage: BackendStorage
    package let clock: any WallClock

    package init(storage: BackendStorage, clock: any WallClock) {
        self.storage = storage
        self.clock = clock
    }

    /// Every identity and every registration that has not expired, by user id and time.
    /// - Throws: `BackendError.database`.
    package func users() async throws(BackendError) -> [BackendUser] {
        let now = clock.now
        // Registrations first: one that becomes an identity between the two reads is still in at least one list.
        let registrations = try await attempt(try await storage.durable.registrations(now: now))
        let identities = try await attempt(try await storage.durable.identities(nil))
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
    package func revoke(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt(try await storage.durable.revoke(selection, now: clock.now))
    }

    /// Tells the devices of `userID` to take new keys at their next login. Identities of the classic protocol cannot.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one identity to renew; nil for all.
    /// - Returns: number of identities that will take new keys.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    package func renew(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt(
            try await storage.durable.change(all: selection) { identity in
                guard identity.canRenew else { return false }
                identity.needsRenewal = true
                return true
            })
    }

    /// Resets the wrong logins of the identities of `userID`.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one identity to unblock; nil for all.
    /// - Returns: number of identities.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    package func unblock(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        return try await attempt(
            try await storage.durable.change(all: selection) { identity in
                identity.forgetFailures()
                return true
            })
    }

    /// Confirms the open registrations of `userID` instead of the mail.
    /// - Parameters:
    ///   - userID: in any spelling.
    ///   - fingerprint: that of the one registration to confirm; nil for all.
    /// - Returns: number of registrations.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    package func activate(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let selection = try Self.selection(userID, fingerprint)
        let now = clock.now
        var count = 0
        for registration in try await attempt(try await storage.durable.registrations(now: now))
        where registration.userID == selection.userID && selection.contains(registration.mpinID) {
            let changed = try await attempt(
                try await storage.durable.change(registrationOf: registration.mpinID, now: now) { $0.active = true })
            if changed != nil { count += 1 }
        }
        return count
    }

    /// The selection of a user, in any spelling.
    package static func selection(_ typed: String, _ fingerprint: String?) throws(BackendError) -> IdentitySelection {
        do { return IdentitySelection(userID: try UserID(typed).text, fingerprint: fingerprint) } catch {
            throw .invalidUserID("\(error)")
        }
    }

    package func attempt<Value>(
        _ call: @autoclosure () async throws(StorageError) -> Value
    ) async throws(BackendError) -> Value {
        do { return try await call() } catch { throw .database(error.reason) }
    }
}
