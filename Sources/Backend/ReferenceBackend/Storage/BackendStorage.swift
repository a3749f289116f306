// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Where the backend keeps everything that one request leaves for another: the port that a database stands behind.
///
/// Its parts cost differently. *Durable* data outlives a power cut, and a request waits for the disk. *Volatile* data
/// has an end, takes no disk, and may be lost with the machine. Then people log in again or ask for another mail.
///
/// Each call of either part is one transaction: all of it happens or nothing. Of two calls at the same moment the
/// second sees what the first left, whichever processes they come from. No caller holds a transaction open.
///
/// `StorageContract` of the tests says what every implementation promises, `docs/backend-bounds.md` what is kept where.
struct BackendStorage: Sendable {
    let durable: any DurableStorage
    let ledger: any LoginLedger
    let volatile: any VolatileStorage
    /// Nil for a storage that several processes share.
    var lock: StateLock?

    /// SQLite in the state directory, and the memory of this process: for one process, with nothing to install.
    /// - Throws: `BackendError.file`, `.database`.
    static func embedded(in state: StateDirectory) throws(BackendError) -> BackendStorage {
        try embedded(in: state, volatile: MemoryTables())
    }

    /// The same with other volatile tables.
    static func embedded(
        in state: StateDirectory, volatile: any VolatileStorage
    ) throws(BackendError) -> BackendStorage {
        let database = try BackendDatabase(state: state)
        return BackendStorage(
            durable: database, ledger: EmbeddedLedger(database: database, volatile: volatile), volatile: volatile)
    }
}

/// Identities, open registrations, revocations, applications.
///
/// A question that belongs to every login runs where the caller does, so that a storage inside the process costs no
/// thread.
protocol DurableStorage: Sendable {
    /// Whether it is with this server secret that the PINs of all identities here are judged. The first one that is
    /// asked for is remembered, and no other one is from then on.
    /// - Parameter digest: of its bytes. They are random, so that it tells nothing of them.
    func belongs(toServerSecret digest: [UInt8]) async throws(StorageError) -> Bool

    nonisolated(nonsending) func identity(_ mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity?

    /// Whether an operator has put it on the list of those that may not log in any more.
    nonisolated(nonsending) func isRevoked(_ mpinID: MPinID) async throws(StorageError) -> Bool

    /// An identity and whether it is revoked, as both are at one moment; nil for one that is not known.
    nonisolated(nonsending) func standing(
        of mpinID: MPinID
    ) async throws(StorageError) -> (identity: RegisteredIdentity, isRevoked: Bool)?

    /// Adds a new identity. Another one that was to take the same place, and was never used, goes.
    func add(_ identity: RegisteredIdentity) async throws(StorageError)

    /// Keeps a key that the device is going to use. Another one that was not used goes.
    /// - Returns: whether there is such an identity.
    func expect(publicKey: [UInt8], of mpinID: MPinID) async throws(StorageError) -> Bool

    /// An identity has proved itself with `publicKey` (nil: it has none). If that was expected, it takes the place of
    /// the old key; the identity that this one was made for goes.
    /// - Returns: nil when the key is none of the identity's, or the identity is gone. Then nothing has changed.
    func settle(publicKey: [UInt8]?, of mpinID: MPinID) async throws(StorageError) -> RegisteredIdentity?

    // MARK: Registrations

    /// Nil for one that has expired, as everywhere below.
    nonisolated(nonsending) func registration(
        of mpinID: MPinID, now: WallTime
    ) async throws(StorageError) -> Registration?

    /// - Returns: false when ``Registration/capacity`` are open: the oldest belongs to a person who has a mail to
    ///   answer.
    func add(_ registration: Registration, now: WallTime) async throws(StorageError) -> Bool

    /// Gives an open registration another hour. It stays active if it is, and becomes it if `registration` is.
    /// - Returns: as it is now; nil when it is gone: the device has finished meanwhile.
    func extend(_ registration: Registration, now: WallTime) async throws(StorageError) -> Registration?

    /// The person confirmed the mail.
    /// - Returns: whether there is such a registration.
    func activateRegistration(of mpinID: MPinID, now: WallTime) async throws(StorageError) -> Bool

    /// Turns an active registration into an identity.
    /// - Returns: false when it is gone or not active, and then nothing has changed: of two requests one gets it.
    func finishRegistration(as identity: RegisteredIdentity, now: WallTime) async throws(StorageError) -> Bool

    // MARK: Applications

    nonisolated(nonsending) func application(_ id: String) async throws(StorageError) -> RegisteredApplication?

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
    nonisolated(nonsending) func mailedLink(
        _ digest: [UInt8], now: WallTime
    ) async throws(StorageError) -> MailedLink?

    // MARK: Personal cards

    /// Keeps the card that ends last; none of an identity that is revoked or gone. A revocation removes it.
    func keep(_ card: StoredCard, of mpinID: MPinID) async throws(StorageError)

    /// Those that have not ended.
    /// - Parameter mpinIDs: nil for all.
    func cards(of mpinIDs: [MPinID]?, now: WallTime) async throws(StorageError) -> [MPinID: StoredCard]

    // MARK: What operators do

    /// All of them, without an order.
    func listing(now: WallTime) async throws(StorageError) -> Listing

    /// Some of them, in the order of a ``UserQuery``.
    func users(_ query: UserQuery, now: WallTime) async throws(StorageError) -> UserPart

    func userCounts(now: WallTime) async throws(StorageError) -> UserCounts

    /// Those that an operator means.
    func identities(
        _ selection: IdentitySelection
    ) async throws(StorageError) -> [(identity: RegisteredIdentity, isRevoked: Bool)]

    /// - Returns: how many there are. So below.
    func revoke(_ selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int

    /// Makes devices take new secrets at their next login; not those of the classic protocol, which do not know how.
    func requestRenewal(of selection: IdentitySelection) async throws(StorageError) -> Int

    /// Forgets the wrong logins, and those without a verdict.
    func forgetFailures(of selection: IdentitySelection) async throws(StorageError) -> Int

    /// Confirms open registrations in place of the mail.
    func activateRegistrations(of selection: IdentitySelection, now: WallTime) async throws(StorageError) -> Int

    // MARK: What they look at

    /// Adds what a process has judged to the present quarter of an hour, and lets those go that are older than
    /// ``LoginActivity/kept``. A power cut may undo it.
    /// - Parameter now: the clock of a storage that is within the process; a server has its own. So below.
    func add(_ counts: LoginCounts, now: WallTime) async throws(StorageError)

    func activity(now: WallTime) async throws(StorageError) -> LoginActivity
}

/// The identities of one user, or one of them.
struct IdentitySelection: Sendable {
    let userID: String
    /// Of the only one that is meant; nil for all of them.
    var fingerprint: String?

    func contains(_ mpinID: MPinID) -> Bool { fingerprint.map { $0 == mpinID.fingerprint } ?? true }
}

/// Identities and open registrations at one moment.
struct Listing: Sendable {
    let identities: [(identity: RegisteredIdentity, isRevoked: Bool)]
    let registrations: [Registration]
}
