// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The web site that people log in to. It knows the RPS only over the private listener.
actor RelyingParty {
    let rps: PrivateClient
    let database: BackendDatabase
    let site: SiteDescription
    let registrationPolicy: RegistrationPolicy
    let outbox: Outbox
    let clock: any WallClock

    /// Found by cookie. A restart logs everybody out.
    var sessions = ExpiringTable<OneTimeToken, BrowserSession>(capacity: 4096)
    var cookiesByLogoutToken = ExpiringTable<OneTimeToken, OneTimeToken>(capacity: 4096)

    init(
        rps: PrivateClient, database: BackendDatabase, site: SiteDescription, registrationPolicy: RegistrationPolicy,
        outbox: Outbox, clock: any WallClock
    ) {
        self.rps = rps
        self.database = database
        self.site = site
        self.registrationPolicy = registrationPolicy
        self.outbox = outbox
        self.clock = clock
    }
}
