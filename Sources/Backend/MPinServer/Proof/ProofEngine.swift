// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import MPinCrypto

/// The two passes of a login and its verdict, in every dialect. docs/protocol/milagro.md, sections 7.1 and 11.1;
/// docs/protocol/miracl.md, section 9.
///
/// Each endpoint has its own engine, because pass 2 must arrive where pass 1 did. All endpoints share the checker with
/// its counters. Nothing here looks at a PIN before the checker does (docs/decisions/0037-count-before-check.md).
package struct ProofEngine: Sendable {
    private let checker: LoginChecker
    private let mails: LoginMails?
    private let clock: any WallClock
    // docs/backend-bounds.md describes who can fill each table, and what happens then.
    private let challenges: any VolatileTable<MPinID, PendingChallenge>
    private let logins: any VolatileTable<OneTimeToken, PendingLogin>

    /// - Parameter mails: nil where owners get no mails about logins.
    init(
        at endpoint: String, checker: LoginChecker, mails: LoginMails?, in storage: any VolatileStorage,
        clock: any WallClock
    ) {
        self.checker = checker
        self.mails = mails
        self.clock = clock
        challenges = storage.table(endpoint + "/pass 1", bounds: .ofPeople)
        logins = storage.table(endpoint + "/begun logins", bounds: .ofPeople)
    }

    /// Pass 1: stores it until pass 2 arrives.
    /// - Parameter check: throws if the identity may not log in; nil is an unknown one.
    /// - Throws: what `check` throws; `Refusal` 429 when too many logins of the identity were begun without a verdict,
    ///   503 when they cannot be counted; `StorageError`.
    func begin(
        _ order: LoginOrder, _ pending: PendingChallenge, check: (RegisteredIdentity?) throws -> Void
    ) async throws {
        let identity = try await checker.begin(order, check: check)
        let now = clock.now
        try await challenges.insert(
            pending, for: identity.mpinID, of: .person(identity.userID), expires: now + PendingChallenge.lifetime,
            now: now)
    }

    /// Pass 2: stores the proof, unverified, until its authOTT is handed in. Pass 1 is taken first, so a second pass 2
    /// finds nothing.
    /// - Returns: the authOTT; nil when there is no pass 1, or it is too old.
    func answer(
        of mpinID: MPinID, response: [UInt8], accessCode: String?, oneTimePassword: String? = nil
    ) async throws -> OneTimeToken? {
        let (authOTT, now) = (try OneTimeToken.random(), clock.now)
        guard let passOne = try await challenges.take(mpinID, now: now) else { return nil }
        let login = PendingLogin(
            passOne: passOne, response: StoredBytes(response), days: try? now.daysOfValidPermits,
            accessCode: accessCode, oneTimePassword: oneTimePassword)
        try await keep(login, under: authOTT)
        return authOTT
    }

    /// Takes the login of an authOTT, before its verdict.
    /// - Parameter isPlain: whether it must be a login without a browser. Only its device may present another one.
    /// - Returns: nil when there is none.
    /// - Throws: `Refusal` 503 as long as the server secret is not known; `StorageError`.
    package func take(_ authOTT: OneTimeToken, isPlain: Bool = false) async throws -> PendingLogin? {
        try checker.requireSecret()
        guard isPlain else { return try await logins.take(authOTT, now: clock.now) }
        return try await logins.change(authOTT, now: clock.now) { entry -> PendingLogin? in
            guard let login = entry?.value, login.accessCode == nil else { return nil }
            entry = nil
            return login
        }
    }

    /// - Parameters:
    ///   - browser: the location of the browser that is logged in; nil for none.
    ///   - card: the personal card that was shown to the device; nil for none.
    /// - Throws: as ``LoginChecker/check(_:of:browser:)``. After 429 and 503 the device may hand the login in again.
    func check(
        _ login: PendingLogin, under authOTT: OneTimeToken, browser: BrowserLocation? = nil, card: StoredCard? = nil
    ) async throws -> ProvedIdentity {
        guard let proofs = login.proofs else { throw Refusal.notReady }
        let proved: ProvedIdentity
        do {
            proved = try await checker.check(proofs, of: login.mpinID, browser: browser)
        } catch let refusal as Refusal where refusal.code == 429 || refusal.code == 503 {
            try? await keep(login, under: authOTT)
            throw refusal
        }
        guard !proved.identity.isRevoked else { return proved }
        await mails?.send(to: proved.identity.userID, browser: browser)
        if let card { await checker.store(card, of: proved.identity) }
        return proved
    }

    /// Stores a login that was taken and not finished, as when a table is full. The device may hand it in again.
    package func keep(_ login: PendingLogin, under authOTT: OneTimeToken) async throws {
        let now = clock.now
        try await logins.insert(
            login, for: authOTT, of: .person(login.mpinID.fingerprint), expires: now + PendingLogin.lifetime, now: now)
    }

    /// - Throws: `Refusal` 403 for a browser at another place, if the operator refuses those. Then nothing is checked.
    package func require(
        _ location: BrowserLocation?, for networks: NetworkPlaces, _ login: PendingLogin
    ) async throws {
        guard location == .other, networks.refusesOthers else { return }
        try await checker.reportElsewhere(login.mpinID)
        throw Refusal(403, "The browser is at a different place")
    }

    /// - Throws: as ``LoginChecker/check(_:of:)``.
    func check(_ submitted: SubmittedSignature, of identity: MPinIdentity) async throws -> ProvedIdentity {
        try await checker.check(submitted, of: identity)
    }
}
