// SPDX-License-Identifier: Apache-2.0

import BackendValues
import LinuxSystem
import Logging
import MPinServer
import OperatorPage

/// The parts from which a backend makes all others: settings, state directory, storage and clock.
struct BackendParts: Sendable {
    let configuration: Backend.Configuration
    let state: StateDirectory
    let storage: BackendStorage
    let networks: NetworkPlaces
    let credentials: AppCredentials
    let site: SiteDescription
    let clock: any WallClock
    let observer: (any BackendObserver)?
    let logger: Logger

    /// Opens state directory and storage.
    init(
        _ configuration: Backend.Configuration, in directory: String,
        openStorage: (StateDirectory) throws(BackendError) -> BackendStorage, clock: any WallClock,
        observer: (any BackendObserver)?, logger: Logger
    ) throws(BackendError) {
        let places = configuration.places
        state = try StateDirectory(path: directory)
        storage = try openStorage(state)
        networks = try NetworkPlaces(
            places.place, refusesOthers: places.refuseOtherPlaces, key: storage.volatile.key(for: "networks"))
        credentials = try AppCredentials(path: state.file("credentials"))
        site = SiteDescription(
            name: configuration.site.siteName, publicURL: Eventually(), codeLifetime: places.codeLifetime,
            registrations: configuration.registrations.policy.extent)
        if let publicURL = configuration.site.publicURL { site.publicURL.settle(.success(publicURL.text)) }
        self.configuration = configuration
        self.clock = clock
        self.observer = observer
        self.logger = logger
    }

    /// The checker of logins, and the mails by which it warns people.
    struct LoginParts: Sendable {
        /// Nil where mails stay in the outbox.
        let mailDelivery: MailDelivery?
        let outbox: Outbox
        let tally: LoginTally
        let checker: LoginChecker
        /// Nil where owners get no mails about logins.
        let loginMails: LoginMails?
    }

    /// - Parameters:
    ///   - mailServer: nil to keep mails in the outbox.
    ///   - tallyPeriod: the time for which counts for the operator's page are collected.
    func logins(mailServer: MailServer?, verifier: PendingVerifier, tallyPeriod: Duration) -> LoginParts {
        let delivery = mailServer.map { server in
            MailDelivery(
                server: server, limit: MailLimit(in: storage.volatile), clock: clock, observer: observer,
                logger: logger)
        }
        let outbox = Outbox(
            delivery: delivery?.take, links: MailLinks(storage: storage.durable, site: site, clock: clock),
            in: storage.volatile, clock: clock)
        let tally = LoginTally(
            storage: storage.operators, clock: clock, period: tallyPeriod, then: observer, logger: logger)
        let checker = LoginChecker(
            storage: storage.durable, verifier: verifier, clock: clock, observer: tally,
            warning: FailureWarning(outbox: outbox, siteName: site.name, clock: clock), logger: logger)
        let loginMails =
            configuration.mails.mailLogins
            ? LoginMails(
                outbox: outbox, siteName: site.name, networks: networks, in: storage.volatile, clock: clock,
                logger: logger) : nil
        return LoginParts(
            mailDelivery: delivery, outbox: outbox, tally: tally, checker: checker, loginMails: loginMails)
    }

    /// The parts that RPS and platform share.
    func server(_ authorities: Authorities, _ logins: LoginParts) throws(BackendError) -> ServerParts {
        let signingKeys = try FollowedSigningKeys(SigningKeyFiles(state: state), clock: clock, logger: logger)
        return ServerParts(
            projectID: configuration.devices.companyID ?? credentials.appID, site: site, credentials: credentials,
            authorities: authorities, storage: storage,
            tokens: WebTokenIssuer(keys: { signingKeys.ring }, clock: clock), networks: networks,
            registrationPolicy: configuration.registrations.policy, outbox: logins.outbox, checker: logins.checker,
            loginMails: logins.loginMails, observer: logins.tally, clock: clock)
    }

    /// The operator's page.
    func operatorSessions() throws(BackendError) -> OperatorSessions {
        try OperatorSessions(
            state: BackendState(storage: storage, clock: clock), password: try OperatorPassword(state: state),
            storage: storage.volatile, clock: clock, observer: observer)
    }
}
