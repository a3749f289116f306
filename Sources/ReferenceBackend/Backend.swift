// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import MPinCrypto
import NIOCore
import NIOPosix
public import ServiceLifecycle

/// A complete M-Pin backend in one process: two D-TAs, the RPS and a web site to log in to.
///
/// The public listener serves all of them below one origin. RPS and web site talk to each other over the private
/// listener (loopback, a free port, a password), so that either could be replaced. See `docs/backend.md`.
public final class Backend: Service {
    static let maximumConnections = 1024

    private let configuration: Configuration
    private let logger: Logger
    private let rps: RPS
    let relyingParty: RelyingParty
    private let publicAuthority: TrustedAuthority
    private let platform: Platform
    let platformSites: [(mount: PlatformMount, relyingParty: PlatformRelyingParty)]
    private let relyingPartyCredentials: RelyingPartyCredentials
    private let outbox: Outbox
    private let mailDelivery: MailDelivery?
    private let clientPolicy: ClientPolicy
    private let site: SiteDescription
    private let privateSecret: PrivateSecret
    private let privatePort: Eventually<Int>
    private let publicPort: Eventually<Int>
    private let publicServer: HTTPServerBuilder
    private let startTime: WallTime
    /// All talking is done on one thread, so that RPS and relying party never wake each other up; pairings run on all others.
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Opens the state directory, and makes secrets and database at the first start. Nothing is bound yet.
    /// - Throws: `BackendError`.
    public convenience init(configuration: Configuration, logger: Logger) throws(BackendError) {
        try self.init(configuration: configuration, logger: logger, clock: SystemWallClock())
    }

    init(configuration: Configuration, logger: Logger, clock: any WallClock) throws(BackendError) {
        let publicURL = try configuration.validatedPublicURL()
        clientPolicy = try configuration.clientPolicy()
        let openRequests = OpenRequests()
        publicServer = try configuration.publicServer(over: Self.server(counting: openRequests))
        let mailServer = try configuration.mailServer()
        let passphrase = try configuration.passphrase()
        let pinLength = try configuration.validatedPinLength()

        let state = try StateDirectory(path: configuration.stateDirectory)
        let database = try BackendDatabase(state: state)
        let credentials = try AppCredentials(state: state)
        let customerAuthority = TrustedAuthority(
            master: try MasterSecretFile.load(folder: try state.folder("dta1"), passphrase: passphrase),
            credentials: credentials, clock: clock)
        publicAuthority = TrustedAuthority(
            master: try MasterSecretFile.load(folder: try state.folder("dta2"), passphrase: passphrase),
            credentials: credentials, clock: clock)

        self.configuration = configuration
        self.logger = logger
        startTime = clock.now
        site = SiteDescription(name: configuration.siteName, publicURL: Eventually())
        if let publicURL { site.publicURL.settle(.success(publicURL)) }
        privateSecret = PrivateSecret(token: try .random())
        privatePort = Eventually()
        publicPort = Eventually()
        let privateClient = PrivateClient(port: privatePort, secret: privateSecret)
        let serverSecret = try Self.serverSecret(customerAuthority, publicAuthority)
        let judge = LoginJudge(database: database, clock: clock, logger: logger)
        rps = RPS(
            credentials: credentials, customerAuthority: customerAuthority, serverSecret: serverSecret,
            database: database, relyingParty: privateClient, site: site, dialect: configuration.dialect,
            companyID: configuration.companyID ?? "", openRequests: openRequests, judge: judge, clock: clock,
            logger: logger)
        if let mailServer {
            let (mails, delivery) = AsyncStream.makeStream(
                of: ActivationMail.self, bufferingPolicy: .bufferingOldest(MailDelivery.capacity))
            mailDelivery = MailDelivery(mails: mails, server: mailServer, clock: clock, logger: logger)
            outbox = Outbox(delivery: delivery)
        } else {
            mailDelivery = nil
            outbox = Outbox(delivery: nil)
        }
        relyingParty = RelyingParty(
            rps: privateClient, database: database, site: site,
            registrationPolicy: configuration.registrationPolicy, outbox: outbox, clock: clock)
        let projectID = configuration.companyID ?? credentials.appID
        platform = Platform(
            projectID: projectID, pinLength: pinLength, credentials: credentials,
            authorities: [customerAuthority, publicAuthority], serverSecret: serverSecret, database: database,
            tokens: WebTokenIssuer(key: try SigningKey(state: state)), judge: judge, openRequests: openRequests,
            site: site,
            registrationPolicy: configuration.registrationPolicy, outbox: outbox, clock: clock)
        let relyingPartyCredentials = try RelyingPartyCredentials(state: state)
        self.relyingPartyCredentials = relyingPartyCredentials
        platformSites = Self.platformMounts(dialect: configuration.dialect, site: site).map { mount in
            (
                mount,
                PlatformRelyingParty(
                    platform: privateClient, mount: mount, projectID: projectID, credentials: relyingPartyCredentials,
                    clock: clock)
            )
        }
    }

    /// Each generation below a path of its own, and one of them at the origin if that is what the origin speaks.
    private static func platformMounts(dialect: Dialect, site: SiteDescription) -> [PlatformMount] {
        let below = PlatformGeneration.allCases.map { PlatformMount(generation: $0, path: $0.rawValue, site: site) }
        guard let generation = dialect.platformGeneration else { return below }
        return below + [PlatformMount(generation: generation, path: "", site: site)]
    }

    /// Where the backend is reached; waits until both listeners are bound.
    /// - Throws: `BackendError.notRunning` when `run()` ended before, or `CancellationError`.
    public var addresses: Addresses {
        get async throws {
            let privatePort = try await privatePort.value
            return Addresses(
                publicURL: try await site.publicURL.value, publicPort: try await publicPort.value,
                outboxURL: "http://127.0.0.1:\(privatePort)/outbox", outboxAuthorization: privateSecret.authorization)
        }
    }

    /// Serves until the task is cancelled or a graceful shutdown begins.
    /// - Throws: `BackendError.cannotListen`.
    public func run() async throws {
        defer {
            privatePort.settle(.failure(BackendError.notRunning))
            publicPort.settle(.failure(BackendError.notRunning))
            site.publicURL.settle(.failure(BackendError.notRunning))
        }
        var services: [any Service] = [privateListener, publicListener]
        if let mailDelivery { services.append(mailDelivery) }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger))
        do { try await group.run() } catch let error as IOError {
            throw BackendError.cannotListen(
                address: "\(configuration.listenHost):\(configuration.listenPort)",
                // Safe: the text is the C library's own and is copied at once.
                reason: unsafe String(cString: strerror(error.errnoCode)))
        }
    }

    /// What hummingbird says itself: nothing, outside of debugging. A listener that cannot be bound ends with an error of
    /// its own, and every request's number would be made into text for nobody.
    private var listenerLogger: Logger {
        logger.logLevel > .debug ? Logger(label: logger.label) { _ in SwiftLogNoOpLogHandler() } : logger
    }

    private var privateListener: some ApplicationProtocol {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: GuardMiddleware(logger: logger))
        router.add(middleware: PrivateSecretMiddleware(secret: privateSecret))
        PrivateRoutes(rps: rps, relyingParty: relyingParty, outbox: outbox).add(to: router)
        addPlatform(to: router, relyingParty: nil)
        let port = privatePort
        return Application(
            router: router, server: Self.server(counting: OpenRequests()),
            configuration: limits(host: "127.0.0.1", port: 0),
            onServerRunning: { channel in port.settle(Self.boundPort(channel)) }, eventLoopGroupProvider: .shared(loop),
            logger: listenerLogger)
    }

    private var publicListener: some ApplicationProtocol {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: CrossOriginMiddleware(roots: platformSites.map(\.mount.root)))
        router.add(middleware: GuardMiddleware(logger: logger))
        if configuration.dialect.platformGeneration == nil {
            RPSRoutes(rps: rps, policy: clientPolicy).add(to: router)
            AuthorityRoutes(authority: publicAuthority, startTime: startTime).add(to: router)
            SiteRoutes(relyingParty: relyingParty, rps: rps, policy: clientPolicy, site: site).add(to: router)
        }
        addPlatform(to: router, relyingParty: relyingPartyCredentials)
        for (mount, relyingParty) in platformSites {
            PlatformSiteRoutes(relyingParty: relyingParty, mount: mount).add(to: router)
        }
        if configuration.publicOutbox { OutboxRoutes(outbox: outbox).add(to: router) }
        let (port, publicURL) = (publicPort, site.publicURL)
        let host = configuration.listenHost.contains(":") ? "[\(configuration.listenHost)]" : configuration.listenHost
        let origin = (configuration.tls == nil ? "http://" : "https://") + host
        return Application(
            router: router, server: publicServer,
            configuration: limits(host: configuration.listenHost, port: configuration.listenPort),
            onServerRunning: { channel in
                let bound = Self.boundPort(channel)
                publicURL.settle(bound.map { origin + ":\($0)" })
                port.settle(bound)
            }, eventLoopGroupProvider: .shared(loop), logger: listenerLogger)
    }

    /// - Parameter relyingParty: nil where the listener's password is what relying parties know.
    private func addPlatform(to router: Router<BasicRequestContext>, relyingParty: RelyingPartyCredentials?) {
        for (mount, _) in platformSites {
            PlatformRoutes(platform: platform, mount: mount, relyingParty: relyingParty).add(to: router)
        }
    }

    private func limits(host: String, port: Int) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: .hostname(host, port: port),
            availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections, logger: logger))
    }

    private static func server(counting openRequests: OpenRequests) -> HTTPServerBuilder {
        HTTPServerBuilder { WholeRequestConnection(responder: $0, openRequests: openRequests) }
    }

    private static func boundPort(_ channel: any Channel) -> Result<Int, any Error> {
        guard let port = channel.localAddress?.port else { return .failure(BackendError.notRunning) }
        return .success(port)
    }

    private static func serverSecret(
        _ first: TrustedAuthority, _ second: TrustedAuthority
    ) throws(BackendError) -> ServerSecret {
        do {
            return try ServerSecret(combining: first.serverSecretShare(), second.serverSecretShare())
        } catch {
            throw .cryptographyFailed
        }
    }
}
