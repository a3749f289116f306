// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
package import MPinCrypto
import Sealing

/// The port of the databases: all data that a request stores for later requests.
///
/// *Durable* data survives a power cut, and a request waits for the disk. *Volatile* data expires, needs no disk, and
/// may be lost with the machine. Then people log in again or ask for another mail.
///
/// Each call of a port is one transaction. Calls at the same moment run one after the other, also those of
/// different processes. No caller holds a transaction open. `docs/backend-bounds.md` lists the data.
package struct BackendStorage: Sendable {
    package var durable: any DurableStorage
    package let operators: any OperatorStorage
    package var volatile: any VolatileStorage
    /// Nil for a storage that several processes share.
    package var lock: StateLock?

    package init(_ database: any DurableStorage & OperatorStorage, volatile: any VolatileStorage) {
        durable = database
        operators = database
        self.volatile = volatile
    }
}

/// Identities, open registrations, applications, short links.
package protocol DurableStorage: Sendable {
    /// Whether the identities of this storage belong to this server secret. The storage remembers the first secret.
    /// - Parameter digest: the digest of the secret's bytes. They are random, so it reveals nothing.
    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool

    // MARK: Identities

    func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity?
    /// The identities that an operator means; nil selects all.
    func identities(_ selection: IdentitySelection?) async throws(StorageError) -> [RegisteredIdentity]
    /// Adds a new identity. Removes an unused successor of the same identity.
    func add(_ identity: RegisteredIdentity) async throws(StorageError)
    /// Changes an identity. If it has replaced another identity by that, removes the other one.
    /// - Parameters:
    ///   - isOnDisk: whether the change is on the disk when this returns. If not, a power cut may undo it.
    ///   - body: may be called more than once, so it must change nothing but its argument.
    /// - Returns: nil when there is no such identity.
    func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value?

    // MARK: Registrations

    /// An open registration; nil for an expired one, as in the other calls.
    func registration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Registration?
    /// All open registrations.
    func registrations(now: WallTime) async throws(StorageError) -> [Registration]
    /// - Returns: false when ``Registration/capacity`` are open. None is removed: its person may have a mail to answer.
    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool
    /// - Parameter body: may be called more than once.
    /// - Returns: the registration as it is now; nil when it is gone.
    @discardableResult
    func change(
        registrationOf mpinID: MPinID, now: WallTime, _ body: @escaping @Sendable (inout Registration) -> Void
    ) async throws(StorageError) -> Registration?
    /// Turns an active registration into an identity.
    /// - Returns: false when it is gone or not active. Of two requests at the same moment one gets it.
    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool

    /// Deletes the rows of a user, and what the volatile part keeps under the user's name if it is in the same database.
    /// No copy of them remains in the database's own files.
    func erase(userID: String) async throws(StorageError) -> ErasedUser

    // MARK: Applications

    func application(_ id: String) async throws(StorageError) -> RegisteredApplication?
    /// All applications, by name.
    func applications() async throws(StorageError) -> [RegisteredApplication]
    /// - Returns: false when another application has the name, or there are ``RegisteredApplication/capacity``.
    func add(_ application: RegisteredApplication) async throws(StorageError) -> Bool
    /// - Returns: whether there was such an application.
    func removeApplication(_ id: String) async throws(StorageError) -> Bool
    /// - Returns: whether there is such an application and it has a secret.
    func replaceSecret(ofApplication id: String, with digest: [UInt8]) async throws(StorageError) -> Bool

    // MARK: Short links of mails

    /// Removes expired links, and adds one.
    /// - Returns: false when there are `capacity`.
    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool
    /// A link; nil for an expired one.
    func mailedLink(_ digest: [UInt8], now: WallTime) async throws(StorageError) -> MailedLink?
}

/// Lists and counts for operators, of the same database.
package protocol OperatorStorage: Sendable {
    /// Some of the identities and registrations, in the order of a ``UserQuery``.
    func users(_ query: UserQuery, now: WallTime) async throws(StorageError) -> UserPart
    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts
    /// Adds a process's counts to the current quarter of an hour, and removes those older than ``LoginActivity/kept``.
    /// A power cut may undo it.
    /// - Parameter now: the time, for SQLite. PostgreSQL ignores it and uses the server's clock, as in `activity`.
    func add(_ counts: LoginCounts, now: WallTime) async throws(StorageError)
    func activity(now: WallTime) async throws(StorageError) -> LoginActivity
}

extension DurableStorage {
    /// A change that is on the disk when this returns.
    @discardableResult
    func change<Value: Sendable>(
        _ mpinID: MPinID, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value? {
        try await change(mpinID, isOnDisk: true, body)
    }

    /// Changes the identities that an operator means, one after the other.
    /// - Parameter body: returns whether it has changed the identity.
    /// - Returns: number of changed identities.
    @discardableResult
    func change(
        all selection: IdentitySelection, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Bool
    ) async throws(StorageError) -> Int {
        var count = 0
        for identity in try await identities(selection) where try await change(identity.mpinID, body) == true {
            count += 1
        }
        return count
    }

    /// Whether the user has an identity that is not revoked.
    package func isRegistered(_ userID: String) async throws(StorageError) -> Bool {
        try await identities(IdentitySelection(userID: userID)).contains { !$0.isRevoked }
    }

    /// - Returns: number of revoked identities.
    @discardableResult
    package func revoke(_ selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int {
        try await change(all: selection) { identity in
            identity.revoke(now: now)
            return true
        }
    }
}

/// The identities of one user, or one of them.
package struct IdentitySelection: Sendable {
    package let userID: String
    /// The fingerprint of one of them; nil for all.
    var fingerprint: String?

    package init(userID: String, fingerprint: String? = nil) {
        self.userID = userID
        self.fingerprint = fingerprint
    }

    package func contains(_ mpinID: MPinID) -> Bool { fingerprint.map { $0 == mpinID.fingerprint } ?? true }
}

extension MPinID {
    /// The first 16 hexadecimal digits of the SHA-256: enough to distinguish identities in a log or list, and nothing
    /// that could be sent to a server.
    var fingerprint: String { String(Hexadecimal.text(Digest.sha256(bytes)).prefix(16)) }
}
