// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// MIRACL's platform with one project: it verifies mail addresses, registers identities that have a key of their own,
/// verifies logins and signatures, and keeps the sessions of browsers that wait for a device. Relying parties know it
/// by its project URL alone. MIRACL protocol, sections 6 to 13, dialects mfa-v2, trust-2023 and
/// trust-2025.
actor Platform {
    static let curve = "BN254CX"

    let projectID: String
    let pinLength: Int
    let credentials: AppCredentials
    /// Both D-TAs: the platform owns them, clients fetch from each.
    let authorities: [TrustedAuthority]
    let database: BackendDatabase
    let tokens: WebTokenIssuer
    let judge: LoginJudge
    let site: SiteDescription
    let registrationPolicy: RegistrationPolicy
    let outbox: Outbox
    let clock: any WallClock

    // What a restart may forget: people ask for another mail or show the code again. `docs/backend.md` says who can
    // fill each table, and what happens then.
    var verifications = UserCodes<Verification>()
    var activations = UserCodes<Verification>()
    /// By user.
    var mails = ExpiringTable<String, MailBackoff>()
    var renewals = ExpiringTable<OneTimeToken, Renewal>(capacity: 4096)
    /// Whose device may issue a code, by the number of the token that says so.
    var quickCodeRights = ExpiringTable<OneTimeToken, RegisteredIdentity>()
    var mailedRegistrations = ExpiringTable<MPinID, MailedRegistration>()
    var applicationLogins = ExpiringTable<OneTimeToken, ApplicationLogin>()
    var pendingRegistrations = ExpiringTable<MPinID, PendingRegistration>()
    var sessions: CodedSessions<PlatformSession>
    var passOnes = ExpiringTable<MPinID, PlatformPassOne>(capacity: 4096)
    var logins = ExpiringTable<OneTimeToken, PlatformLogin>(capacity: 4096)
    var generator = SystemRandomNumberGenerator()

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        projectID: String, pinLength: Int, credentials: AppCredentials, authorities: [TrustedAuthority],
        database: BackendDatabase, tokens: WebTokenIssuer, judge: LoginJudge, site: SiteDescription,
        registrationPolicy: RegistrationPolicy, outbox: Outbox, clock: any WallClock
    ) throws(BackendError) {
        sessions = try CodedSessions(fresh: PlatformSession())
        self.projectID = projectID
        self.pinLength = pinLength
        self.credentials = credentials
        self.authorities = authorities
        self.database = database
        self.tokens = tokens
        self.judge = judge
        self.site = site
        self.registrationPolicy = registrationPolicy
        self.outbox = outbox
        self.clock = clock
    }

    /// - Throws: `PlatformRefusal` for another project than this one.
    func requireProject(of body: JSONObject) throws(PlatformRefusal) {
        guard body.string("projectId") == projectID else { throw .invalid("projectId") }
    }

    func userID(in body: JSONObject) throws(PlatformRefusal) -> String {
        guard let typed = body.string("userId"), let userID = try? UserID(typed) else { throw .invalid("userId") }
        return userID.text
    }

    /// As `userID(in:)`, where a client may leave the user out.
    func userIDIfAny(in body: JSONObject) throws(PlatformRefusal) -> String {
        (body.string("userId") ?? "").isEmpty ? "" : try userID(in: body)
    }
}
