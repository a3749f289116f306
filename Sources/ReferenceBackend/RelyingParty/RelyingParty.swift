// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The web site that people log in to. It knows the RPS only over the private listener.
actor RelyingParty {
    let rps: PrivateClient
    let database: BackendDatabase
    let mount: ClassicMount
    let registrationPolicy: RegistrationPolicy
    let outbox: Outbox
    /// Whether devices may log their browsers out again.
    let offersLogout: Bool
    let clock: any WallClock

    let seal: VisitSeal
    /// Who is logged in, by cookie. A restart logs all of them out.
    var sessions = ExpiringTable<OneTimeToken, BrowserSession>()
    var cookiesByLogoutToken = ExpiringTable<OneTimeToken, OneTimeToken>()

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        rps: PrivateClient, database: BackendDatabase, mount: ClassicMount, registrationPolicy: RegistrationPolicy,
        outbox: Outbox, offersLogout: Bool, clock: any WallClock
    ) throws(BackendError) {
        seal = try VisitSeal()
        self.rps = rps
        self.database = database
        self.mount = mount
        self.registrationPolicy = registrationPolicy
        self.outbox = outbox
        self.offersLogout = offersLogout
        self.clock = clock
    }
}
