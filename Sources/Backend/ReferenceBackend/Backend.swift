// SPDX-License-Identifier: Apache-2.0

import BackendDatabases
package import BackendHTTP
package import BackendValues
import Foundation
import HummingbirdCore
import LinuxSystem
package import Logging
package import MPinCrypto
package import MPinServer
import NIOCore
import NIOPosix
import OperatorPage
import ServiceLifecycle

/// A complete M-Pin backend in one process: an RPS, a login web site and two D-TAs, unless these are processes of
/// their own.
///
/// All share one origin. Only the sent mails have a separate address (loopback, a free port, a password). See
/// `docs/backend.md`.
package final class Backend: Service {
    private let parts: BackendParts
    private let certificate: ServerCertificate?
    private let serverSecret: ServerSecretSource
    private let verifier: PendingVerifier
    private let mailDelivery: MailDelivery?
    private let tally: LoginTally
    private let readiness: Readiness
    let publicSite: PublicSite
    private let outboxSite: OutboxSite

    /// Opens the state directory. The first start creates secrets and a database. No port is bound yet.
    /// - Parameters:
    ///   - directory: the folder with the master secrets and the database.
    ///   - database: PostgreSQL for everything that outlives a request, addressed as for libpq, without a password;
    ///     nil for a file of the directory and this process's memory.
    ///   - tls: nil in a build without TLS.
    /// - Throws: `BackendError`.
    package convenience init(
        configuration: Configuration, in directory: String, database: String? = nil, tls: (any TLSConnections.Type)?,
        observer: (any BackendObserver)? = nil, logger: Logger
    ) throws(BackendError) {
        try self.init(
            configuration: configuration, in: directory, tls: tls, logger: logger, clock: SystemWallClock(),
            openStorage: { state throws(BackendError) in
                try .open(database, connections: configuration.databaseConnections, in: state)
            }, observer: observer)
    }

    /// - Parameters:
    ///   - openStorage: opens the storage of a state directory.
    ///   - verifier: makes the verifier of proofs from the server secret.
    ///   - tallyPeriod: the time for which counts for the operator's page are collected.
    package init(
        configuration: Configuration, in directory: String, tls: (any TLSConnections.Type)?, logger: Logger,
        clock: any WallClock,
        openStorage: (StateDirectory) throws(BackendError) -> BackendStorage = BackendStorage.embedded,
        verifier: @escaping @Sendable (ServerSecret) -> any ProofVerifier = { $0 },
        observer: (any BackendObserver)? = nil, tallyPeriod: Duration = LoginTally.period
    ) throws(BackendError) {
        let settings = configuration.authorities
        if let file = settings.certificatesFile { _ = try StateDirectory.content(of: file, .unaltered) }
        certificate = try configuration.tls.files.map { files throws(BackendError) in
            try ServerCertificate(files, tls, clock: clock, observer: observer, logger: logger)
        }
        let mailServer = try configuration.mails.server()
        let passphrase = try settings.passphrase()

        self.verifier = PendingVerifier(verifier)
        parts = try BackendParts(
            configuration, in: directory, openStorage: openStorage, clock: clock, observer: observer, logger: logger)
        let (authorities, serverSecret) = try parts.authorities(passphrase: passphrase, verifier: self.verifier)
        self.serverSecret = serverSecret
        let logins = parts.logins(mailServer: mailServer, verifier: self.verifier, tallyPeriod: tallyPeriod)
        (mailDelivery, tally) = (logins.mailDelivery, logins.tally)
        outboxSite = OutboxSite(outbox: logins.outbox, logger: logger, password: OutboxPassword(token: try .random()))
        readiness = Readiness(parts.storage, self.verifier, clock: clock)
        let operatorSessions = try parts.operatorSessions()
        let relyingPartyCredentials = try RelyingPartyCredentials(state: parts.state)
        let server = try parts.server(authorities, logins)
        let sites = try SiteParts(
            server: server, settings: configuration, relyingPartyCredentials: relyingPartyCredentials,
            polls: LongPolls(clock: clock), logger: logger
        ).sites()
        publicSite = PublicSite(
            configuration: configuration, server: server, classicSites: sites.classic, platformSites: sites.platform,
            operatorSessions: operatorSessions, readiness: readiness, pictures: QRPictures(clock: clock),
            startTime: clock.now, connections: configuration.clients.connections(certificate), logger: logger)
    }

    /// The backend's addresses. Waits until both ports are bound.
    /// - Throws: the error that ended `run()`, `BackendError.notRunning`, or `CancellationError`.
    package var addresses: Addresses {
        get async throws {
            let outboxURL = try await outboxSite.url
            return Addresses(
                publicURL: try await parts.site.publicURL.value, publicPort: try await publicSite.port.value,
                outboxURL: outboxURL, outboxAuthorization: outboxSite.password.authorization)
        }
    }

    /// Serves until the task is cancelled or a graceful shutdown begins.
    /// - Throws: `BackendError.cannotListen`, `.otherServerSecret`, `.database`.
    package func run() async throws {
        defer { parts.storage.lock?.release() }
        do {
            try await serve()
        } catch {
            // A caller that waits for the addresses gets the error as well, and may report it first.
            endAddresses(with: error)
            throw error
        }
        endAddresses(with: BackendError.notRunning)
    }

    /// Reads the files of certificate and key again, if there are any.
    package func readCertificate() { certificate?.look() }

    private func endAddresses(with error: any Error) {
        outboxSite.port.settle(.failure(error))
        publicSite.port.settle(.failure(error))
        parts.site.publicURL.settle(.failure(error))
    }

    private func serve() async throws {
        if parts.site.registrations == .nobody {
            parts.logger.warning(
                "nobody may register here", metadata: ["hint": "say who: --admit @example.com, or --admit anybody"])
        }
        // Services end from the last to the first: the tally ends when no login is checked any more.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: tally), .init(service: outboxSite.webServer), .init(service: publicSite.webServer),
        ]
        if let certificate { services.append(.init(service: certificate)) }
        if let mailDelivery { services.append(.init(service: mailDelivery)) }
        switch serverSecret {
        case .own(let secret): try await settle(secret)
        case .elsewhere(let fetch):
            services.append(.init(service: fetch))
        }
        services.append(.init(service: Draining(readiness: readiness, duration: parts.configuration.drainTime)))
        try await Self.run(services, listeningOn: parts.configuration.site.listen, logger: parts.logger)
    }

    /// - Throws: `BackendError.otherServerSecret`, `.database`.
    private func settle(_ secret: ServerSecret) async throws(BackendError) {
        let isSettled: Bool
        do throws(StorageError) { isSettled = try await verifier.settle(secret, in: parts.storage.durable) } catch {
            throw .database(error.reason)
        }
        guard isSettled else { throw .otherServerSecret }
    }

    /// Runs services, and adds the address to the error of a failed bind.
    static func run(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], listeningOn address: ListenAddress, logger: Logger
    ) async throws {
        // At finer levels the library prints each service's whole value.
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .info)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: quiet))
        do { try await group.run() } catch let error as IOError {
            throw BackendError.cannotListen(
                address: address.description, reason: systemErrorText(error.errnoCode))
        } catch is SocketAddressError.UnknownHost {
            throw BackendError.cannotListen(address: address.description, reason: "this machine knows no such name")
        }
    }
}

extension Backend {
    /// The sites of the classic dialects, including the origin's if it speaks one.
    package var classicSites: [ClassicSite] { publicSite.classicSites }

    package var platformSites: [PlatformSite] { publicSite.platformSites }

    /// The people who may register.
    package var registrations: RegistrationPolicy.Extent { parts.site.registrations }

    /// Whether the public site shows the mails.
    package var showsOutbox: Bool { parts.configuration.mails.publicOutbox }

    /// The addresses of a running backend.
    package struct Addresses: Sendable {
        /// The origin in QR codes and settings, without a trailing slash.
        package let publicURL: String
        /// The port that the public listener is bound to.
        package let publicPort: Int
        /// The outbox of activation mails, e.g. `http://127.0.0.1:40001/outbox`.
        package let outboxURL: String
        /// The value of the outbox's `Authorization` header: HTTP Basic, new at every start. A secret.
        package let outboxAuthorization: String
    }
}
