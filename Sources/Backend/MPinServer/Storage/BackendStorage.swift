// SPDX-License-Identifier: Apache-2.0

package import MPinCrypto

/// Where the backend keeps everything that one request leaves for another: the port that a database stands behind.
///
/// Its parts cost differently. *Durable* data outlives a power cut, and a request waits for the disk. *Volatile* data
/// has an end, takes no disk, and may be lost with the machine. Then people log in again or ask for another mail.
///
/// Each call of either part is one transaction: all of it happens or nothing. Of two calls at the same moment the
/// second sees what the first left, whichever processes they come from. No caller holds a transaction open.
///
/// `docs/backend.md` says what is kept where.
package struct BackendStorage: Sendable {
    package let durable: any DurableStorage
    package let volatile: any VolatileStorage
    /// Nil for a storage that several processes share.
    package var lock: StateLock?

    package init(durable: any DurableStorage, volatile: any VolatileStorage, lock: StateLock? = nil) {
        self.durable = durable
        self.volatile = volatile
        self.lock = lock
    }
}

/// Identities, open registrations, applications, short links.
package protocol DurableStorage: Sendable {
    /// Whether it is with this server secret that the PINs of all identities here are judged. The first one that is
    /// asked for is remembered, and no other one is from then on.
    /// - Parameter digest: of its bytes. They are random, so that it tells nothing of them.
    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool

    // MARK: Identities

    func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity?
    /// Those that an operator means; all where it is nil.
    func identities(_ selection: IdentitySelection?) async throws(StorageError) -> [RegisteredIdentity]
    /// Adds a new identity. Another one that was to take the same place, and was never used, goes.
    func add(_ identity: RegisteredIdentity) async throws(StorageError)
    /// Changes an identity. If it has taken another one's place with that, the other one goes.
    /// - Parameters:
    ///   - isOnDisk: whether the change is on the disk when this returns. Else a power cut may undo it.
    ///   - body: may be called more than once, so it changes nothing but its argument.
    /// - Returns: nil when there is no such identity.
    func change<Value: Sendable>(
        _ mpinID: MPinID, isOnDisk: Bool, _ body: @escaping @Sendable (inout RegisteredIdentity) -> Value
    ) async throws(StorageError) -> Value?

    // MARK: Registrations

    /// Nil for one that has expired, as everywhere below.
    func registration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Registration?
    /// All that are open.
    func registrations(now: WallTime) async throws(StorageError) -> [Registration]
    /// - Returns: false when ``Registration/capacity`` are open: the oldest belongs to a person who has a mail to
    ///   answer.
    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool
    /// - Parameter body: may be called more than once.
    /// - Returns: the registration as it is now; nil when it is gone.
    @discardableResult
    func change(
        registrationOf mpinID: MPinID, now: WallTime, _ body: @escaping @Sendable (inout Registration) -> Void
    ) async throws(StorageError) -> Registration?
    /// Turns an active registration into an identity.
    /// - Returns: false when it is gone or not active, and then nothing has changed: of two requests one gets it.
    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool

    // MARK: Applications

    func application(_ id: String) async throws(StorageError) -> RegisteredApplication?
    /// All of them, by name.
    func applications() async throws(StorageError) -> [RegisteredApplication]
    /// - Returns: false when another one has the name, or there are ``RegisteredApplication/capacity``.
    func add(_ application: RegisteredApplication) async throws(StorageError) -> Bool
    /// - Returns: whether there was such an application.
    func removeApplication(_ id: String) async throws(StorageError) -> Bool
    /// - Returns: whether there is such an application and it has a secret.
    func replaceSecret(ofApplication id: String, with digest: [UInt8]) async throws(StorageError) -> Bool

    // MARK: Short links of mails

    /// Lets those go that have ended.
    /// - Returns: false when there are `capacity`.
    func add(_ link: MailedLink, upTo capacity: Int, now: WallTime) async throws(StorageError) -> Bool
    /// Nil for one that has ended.
    func mailedLink(_ digest: [UInt8], now: WallTime) async throws(StorageError) -> MailedLink?

    // MARK: What operators look at

    /// Some of the identities and registrations, in the order of a ``UserQuery``.
    func users(_ query: UserQuery, now: WallTime) async throws(StorageError) -> UserPart
    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts
    /// Adds what a process has judged to the present quarter of an hour, and lets those go that are older than
    /// ``LoginActivity/kept``. A power cut may undo it.
    /// - Parameter now: the clock of a storage that is within the process; a server has its own. So below.
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
    /// - Parameter body: says whether an identity is one that is changed.
    /// - Returns: how many are.
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

    /// - Returns: how many there are.
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
    /// Of the only one that is meant; nil for all of them.
    var fingerprint: String?

    package init(userID: String, fingerprint: String? = nil) {
        self.userID = userID
        self.fingerprint = fingerprint
    }

    package func contains(_ mpinID: MPinID) -> Bool { fingerprint.map { $0 == mpinID.fingerprint } ?? true }
}

extension MPinID {
    /// The first 16 hexadecimal digits of the SHA-256: enough to tell identities apart in a log or list, and nothing
    /// that could be sent to a server.
    var fingerprint: String { String(Hexadecimal.text(Digest.sha256(bytes)).prefix(16)) }
}
