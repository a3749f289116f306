// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// MIRACL's platform with one project: it verifies mail addresses, registers identities that have a key of their own,
/// verifies logins and signatures, and keeps the sessions of browsers that wait for a device. Relying parties know it by
/// its project URL alone. MIRACL protocol, sections 6 to 13, dialects mfa-v2, trust-2023 and
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

    // What a restart may forget: people ask for another mail or show the code again.
    var verifications = ExpiringTable<UserCode, Verification>(capacity: 4096)
    var activations = ExpiringTable<UserCode, Verification>(capacity: 4096)
    /// Wrong short codes by user, and mails.
    var wrongCodes = ExpiringTable<String, Int>(capacity: 4096)
    var mails = ExpiringTable<String, MailBackoff>(capacity: 4096)
    var renewals = ExpiringTable<OneTimeToken, Renewal>(capacity: 4096)
    /// Whose device may issue a code, by the number of the token that says so.
    var quickCodeRights = ExpiringTable<OneTimeToken, RegisteredIdentity>(capacity: 4096)
    var mailedRegistrations = ExpiringTable<MPinID, MailedRegistration>(capacity: 4096)
    var applicationLogins = ExpiringTable<OneTimeToken, ApplicationLogin>(capacity: 4096)
    var pendingRegistrations = ExpiringTable<MPinID, PendingRegistration>(capacity: 4096)
    var sessions = ExpiringTable<String, PlatformSession>(capacity: 4096)
    var accessIDs = ExpiringTable<OneTimeToken, String>(capacity: 4096)
    var passOnes = ExpiringTable<MPinID, PlatformPassOne>(capacity: 4096)
    var logins = ExpiringTable<OneTimeToken, PlatformLogin>(capacity: 4096)
    var generator = SystemRandomNumberGenerator()

    init(
        projectID: String, pinLength: Int, credentials: AppCredentials, authorities: [TrustedAuthority],
        database: BackendDatabase, tokens: WebTokenIssuer, judge: LoginJudge, site: SiteDescription,
        registrationPolicy: RegistrationPolicy, outbox: Outbox, clock: any WallClock
    ) {
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

    /// As `userID(in:)`, where a client may name nobody.
    func userIDIfAny(in body: JSONObject) throws(PlatformRefusal) -> String {
        (body.string("userId") ?? "").isEmpty ? "" : try userID(in: body)
    }
}
