// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The users of a state directory, for management commands. It may be used while a backend runs on the same directory.
public struct BackendState: Sendable {
    let database: BackendDatabase
    let clock: any WallClock

    /// Opens the state directory of a backend.
    /// - Throws: `BackendError`.
    public init(directory: String) throws(BackendError) {
        try self.init(directory: directory, clock: SystemWallClock())
    }

    init(directory: String, clock: any WallClock) throws(BackendError) {
        self.init(database: try BackendDatabase(state: try StateDirectory(path: directory)), clock: clock)
    }

    init(database: BackendDatabase, clock: any WallClock) {
        self.database = database
        self.clock = clock
    }

    /// Every identity and every registration that has not expired, by user id and time.
    /// - Throws: `BackendError.database`.
    public func users() async throws(BackendError) -> [BackendUser] {
        let now = clock.now
        return try await attempt {
            try await database.read { database in
                let identities = try RegisteredIdentity.all(in: database).map { identity in
                    BackendUser(identity, isRevoked: try Revocation.contains(identity.mpinID, in: database))
                }
                let registrations = try Registration.all(in: database, now: now).map { BackendUser($0) }
                return (identities + registrations).sorted { $0.precedes($1) }
            }
        }
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
        let userID = try Self.read(userID)
        let now = clock.now
        return try await attempt {
            try await database.write { database in
                let identities = try RegisteredIdentity.all(of: userID, fingerprint: fingerprint, in: database)
                for identity in identities { try Revocation.add(identity.mpinID, in: database, now: now) }
                return identities.count
            }
        }
    }

    /// Makes the devices of `userID` take new keys at their next login. Identities of the classic protocol cannot.
    /// - Returns: how many identities will.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func renew(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let userID = try Self.read(userID)
        return try await attempt {
            try await database.write { database in
                let identities = try RegisteredIdentity.all(of: userID, fingerprint: fingerprint, in: database).filter {
                    $0.canRenew
                }
                for var identity in identities { try identity.requestRenewal(in: database) }
                return identities.count
            }
        }
    }

    /// Forgets the wrong logins of all identities of `userID`.
    /// - Returns: how many identities were found.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func unblock(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let userID = try Self.read(userID)
        return try await attempt {
            try await database.write { database in
                let identities = try RegisteredIdentity.all(of: userID, fingerprint: fingerprint, in: database)
                for var identity in identities { try identity.forgetFailures(in: database) }
                return identities.count
            }
        }
    }

    /// Confirms all open registrations of `userID`, in place of the mail.
    /// - Returns: how many registrations were found.
    /// - Throws: `BackendError.database`, `.invalidUserID`.
    @discardableResult
    public func activate(userID: String, fingerprint: String? = nil) async throws(BackendError) -> Int {
        let userID = try Self.read(userID)
        let now = clock.now
        return try await attempt {
            try await database.write { database in
                let open = try Registration.all(in: database, now: now).filter {
                    $0.userID == userID
                        && (fingerprint ?? MPinID($0.mpinID).fingerprint) == MPinID($0.mpinID).fingerprint
                }
                for registration in open { try Registration.activate(MPinID(registration.mpinID), in: database) }
                return open.count
            }
        }
    }

    /// However the operator spells it.
    private static func read(_ typed: String) throws(BackendError) -> String {
        do { return try UserID(typed).text } catch { throw .invalidUserID("\(error)") }
    }

    func attempt<Value>(_ body: () async throws -> Value) async throws(BackendError) -> Value {
        do {
            return try await body()
        } catch {
            throw .database(BackendDatabase.reason(error))
        }
    }
}
