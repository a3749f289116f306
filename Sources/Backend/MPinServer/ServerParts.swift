// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The parts that the platform and the RPS of each classic endpoint share.
package struct ServerParts: Sendable {
    /// The platform's project, which is the company that devices of `mfa-v1` name.
    package let projectID: String
    package let site: SiteDescription
    let credentials: AppCredentials
    /// Clients ask both. The backend answers for a D-TA that they cannot reach.
    package let authorities: Authorities
    package let storage: BackendStorage
    package let tokens: WebTokenIssuer
    let networks: NetworkPlaces
    let registrationPolicy: RegistrationPolicy
    package let outbox: Outbox
    let checker: LoginChecker
    let loginMails: LoginMails?
    let observer: (any BackendObserver)?
    package let clock: any WallClock

    /// - Parameter loginMails: nil where owners get no mails about logins.
    package init(
        projectID: String, site: SiteDescription, credentials: AppCredentials, authorities: Authorities,
        storage: BackendStorage, tokens: WebTokenIssuer, networks: NetworkPlaces,
        registrationPolicy: RegistrationPolicy, outbox: Outbox, checker: LoginChecker, loginMails: LoginMails?,
        observer: (any BackendObserver)?, clock: any WallClock
    ) {
        self.projectID = projectID
        self.site = site
        self.credentials = credentials
        self.authorities = authorities
        self.storage = storage
        self.tokens = tokens
        self.networks = networks
        self.registrationPolicy = registrationPolicy
        self.outbox = outbox
        self.checker = checker
        self.loginMails = loginMails
        self.observer = observer
        self.clock = clock
    }

    /// The engine of one endpoint, or of the platform.
    func proofs(at endpoint: String) -> ProofEngine {
        ProofEngine(at: endpoint, checker: checker, mails: loginMails, in: storage.volatile, clock: clock)
    }
}
