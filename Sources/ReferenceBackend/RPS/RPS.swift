// SPDX-License-Identifier: Apache-2.0

import Logging
import MPinCrypto

/// The M-Pin server: it registers identities, relays shares, verifies logins and keeps the sessions of browsers that
/// wait for a device. It knows the relying party only as an address. Milagro protocol, section 11.1.
actor RPS {
    let credentials: AppCredentials
    let customerAuthority: TrustedAuthority
    let database: BackendDatabase
    let relyingParty: PrivateClient
    let mount: ClassicMount
    /// The company that devices of `mfa-v1` name.
    let companyID: String
    let judge: LoginJudge
    let clock: any WallClock
    let logger: Logger

    var dialect: Backend.Dialect { mount.dialect }

    // What a restart may forget. `docs/backend.md` says who can fill each table, and what happens then.
    var passOneRecords = ExpiringTable<MPinID, PassOneRecord>(capacity: 4096)
    var loginTokens = ExpiringTable<OneTimeToken, LoginToken>(capacity: 4096)
    var sessions: LoginSessions
    var numberGuesses = GuessBudget(
        perAddress: AccessNumber.guessesOfOneAddress, inTotal: AccessNumber.guessesInTotal,
        period: AccessNumber.guessPeriod)
    /// Registrations that strangers began within the hour, by mpin_id.
    var begunRegistrations = ExpiringTable<MPinID, Bool>(bounds: TableBounds(capacity: Registration.capacity))
    var applicationLogins = ExpiringTable<OneTimeToken, ApplicationLogin>()
    var verifiedLogins = ExpiringTable<OneTimeToken, VerifiedLogin>(capacity: 4096)
    var generator = SystemRandomNumberGenerator()

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        credentials: AppCredentials, customerAuthority: TrustedAuthority, database: BackendDatabase,
        relyingParty: PrivateClient, mount: ClassicMount, companyID: String, judge: LoginJudge, clock: any WallClock,
        logger: Logger
    ) throws(BackendError) {
        sessions = try LoginSessions()
        self.credentials = credentials
        self.customerAuthority = customerAuthority
        self.database = database
        self.relyingParty = relyingParty
        self.mount = mount
        self.companyID = companyID
        self.judge = judge
        self.clock = clock
        self.logger = logger
    }
}
