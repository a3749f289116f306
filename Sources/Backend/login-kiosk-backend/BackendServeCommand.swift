// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import Logging
import MetricsService
public import ReferenceBackend
import ServiceLifecycle

struct BackendServeCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until stopped.",
        discussion: """
            For example: login-kiosk-backend serve --listen 127.0.0.1:8480 --public-url https://login.example.com \
            --trusted-proxy 127.0.0.1 --admit @example.com
            """)

    @OptionGroup var stateOptions: BackendStateOptions
    @Option(help: "Maximum number of connections to the database, besides one that listens.") var databaseConnections =
        8
    @Option(help: "HOST:PORT to listen on: [::1]:8480 for IPv6, *:8480 for every address; port 0 takes a free one.")
    var listen = ListenAddress.standard
    @Option(help: "Origin at which browsers and kiosks reach the backend, for example https://login.example.com.")
    var publicURL: String?
    @Option(help: "Name that kiosks show.") var siteName = "login-kiosk demonstration"
    @OptionGroup var tls: TLSOptions
    @Option(help: "File whose first line is the passphrase that seals the master secrets.") var passphraseFile: String?
    @Option(name: .customLong("dta1"), help: "Address of D-TA 1, if the D-TAs are separate programs.")
    var firstAuthority: String?
    @Option(name: .customLong("dta2"), help: "Address of D-TA 2, which devices reach, too.")
    var secondAuthority: String?
    @Option(name: .customLong("dta-ca"), help: "PEM file of the certificate authorities of the D-TAs.")
    var authorityCertificates: String?
    @Flag(help: "Show activation mails at /outbox of the public site. Anybody can then confirm any registration.")
    var publicOutbox = false
    @Option(help: "Mail server for activation mails: smtp://host:port or smtps://host:port.") var smtp: String?
    @Option(help: "Sender of activation mails.") var smtpFrom = "login-kiosk@localhost"
    @Option(help: "User name at the mail server.") var smtpUser: String?
    @Option(help: "File whose first line is the password at the mail server.") var smtpPasswordFile: String?
    @Flag(help: "Send mails only over TLS, to a mail server with a valid certificate.") var smtpRequireTLS = false
    @Option(name: .customLong("smtp-ca"), help: "PEM file of the certificate authorities of the mail server.")
    var smtpAuthorities: String?
    @Flag(help: "Mail the owner of an identity about each login: a few an hour, the others as a number.")
    var mailLogins = false
    @Option(help: "Company id that devices must send as X-MIRACL-CID. From mfa-v2 on it is the project id.")
    var companyID: String?
    @Option(
        help: """
            What the origin speaks: milagro, milagro-without-permits, mfa-v1, mfa-v2, \
            trust-2023 or trust-2025.
            """)
    var dialect = Dialect.milagro
    @Option(help: "Digits of a PIN from mfa-v2 on: 4, 5 or 6.") var pinLength = 4
    @Option(help: "Lowest version of login-kiosk that may log in, for example 1.2.") var minimumClientVersion: String?
    @Option(
        help: ArgumentHelp(
            "Users that may register: name@example.com, @example.com for a domain, or anybody. Repeat for more. "
                + "Without it nobody may.", valueName: "pattern"))
    var admit: [String] = []
    @Option(
        help: """
            Address that the OpenID provider may send browsers back to, for a relying party with the credentials in \
            the state directory. Repeat for more.
            """)
    var redirectURI: [String] = []
    @Option(help: "Application without a secret, with its redirect URI: NAME=URI. Repeat for more.")
    var publicClient: [PublicClientArgument] = []
    @Flag(
        name: .customLong("require-pkce"),
        help: "Require PKCE (S256) of relying parties with a secret, too.")
    var requiresPKCE = false
    @Option(help: "Lifetime of access and ID tokens in seconds: 60 to 43200.")
    var tokenLifetime = 3600
    @Option(
        help: """
            Seconds, up to 2592000, that refresh tokens count, for applications with a secret that ask for \
            offline_access; 0: there are none.
            """)
    var refreshTokenLifetime = 0
    @Option(
        help: """
            Seconds, up to 43200, that a browser stays logged in for further applications; 0: every application takes \
            a PIN.
            """)
    var browserSession = 0
    @Option(
        help: """
            IP address or network of a proxy in front of it, which names its clients: 192.0.2.10, 172.18.0.0/16 or \
            [::1]. Bounds by address need it. Repeat for more.
            """)
    var trustedProxy: [String] = []
    @Option(help: "Header that the proxies write, X-Forwarded-For or Forwarded. Clients can write the other one.")
    var proxyHeader = ProxyField.xForwardedFor
    @Option(
        help: """
            Networks that are one place, for example --place library=192.0.2.0/24,2001:db8:7::/48: a kiosk says when \
            the browser that it is to log in is at another place. Repeat for more.
            """)
    var place: [PlaceArgument] = []
    @Flag(help: "Refuse a login if the browser is in another network than the kiosk.") var refuseOtherPlaces = false
    @Option(
        help: "Seconds until a login page replaces a code that no kiosk has read: 10 to 300."
    )
    var codeLifetime = 30
    @Option(help: "Maximum number of connections of one address, except trusted proxies.")
    var connectionsPerAddress = 128
    @Option(
        help: """
            Seconds, up to 300, to serve on after it was told to stop, while /readyz tells a load balancer to send \
            requests elsewhere.
            """)
    var drainTime = 0
    @Option(help: "Serve /metrics and /healthz at this port of 127.0.0.1.") var metricsPort: UInt16?
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        _ = try registrationPolicy
        guard (0...300).contains(drainTime) else { throw ValidationError("--drain-time takes 0 to 300 seconds") }
        if (firstAuthority == nil) != (secondAuthority == nil) {
            throw ValidationError("--dta1 and --dta2 go together")
        }
        if authorityCertificates != nil, firstAuthority == nil {
            throw ValidationError("--dta-ca is for --dta1 and --dta2")
        }
        if smtp == nil, smtpRequireTLS || smtpAuthorities != nil {
            throw ValidationError("--smtp-require-tls and --smtp-ca are for --smtp")
        }
    }

    private var registrationPolicy: RegistrationPolicy {
        get throws {
            do throws(RegistrationPolicy.Problem) { return try RegistrationPolicy(admitting: admit) } catch {
                switch error {
                case .anybodyAndOthers: throw ValidationError("--admit anybody admits everybody; leave out the others")
                case .noPattern(let text):
                    throw ValidationError(
                        "--admit \(text.debugDescription) is no user: name@example.com, @example.com, or anybody")
                }
            }
        }
    }

    func run() async throws {
        let state = try stateOptions.directory()
        var configuration = Backend.Configuration(
            stateDirectory: state, listenHost: listen.host, listenPort: listen.port, publicURL: publicURL,
            siteName: siteName, publicOutbox: publicOutbox, companyID: companyID, pinLength: pinLength,
            dialect: dialect,
            minimumClientVersion: minimumClientVersion, passphraseFile: passphraseFile, database: stateOptions.database)
        configuration.tls = try tls.configuration()
        if let firstAuthority, let secondAuthority {
            configuration.remoteAuthorities = Backend.RemoteAuthorities(
                firstURL: firstAuthority, secondURL: secondAuthority, certificatesFile: authorityCertificates)
        }
        if let smtp {
            configuration.mail = Backend.Mail(
                url: smtp, sender: smtpFrom, userName: smtpUser, passwordFile: smtpPasswordFile,
                requiresTLS: smtpRequireTLS, certificatesFile: smtpAuthorities)
        }
        configuration.redirectURIs = redirectURI
        configuration.trustedProxies = trustedProxy
        configuration.proxyField = proxyHeader
        configuration.codeLifetime = .seconds(codeLifetime)
        configuration.mailsLogins = mailLogins
        configuration.places = place.map(\.place)
        configuration.refusesOtherPlaces = refuseOtherPlaces
        configuration.connectionsPerAddress = connectionsPerAddress
        configuration.drainTime = .seconds(drainTime)
        configuration.databaseConnections = databaseConnections
        configuration.publicClients = publicClient.map(\.client)
        configuration.requiresProofKeys = requiresPKCE
        configuration.tokenLifetime = .seconds(tokenLifetime)
        configuration.refreshTokenLifetime = .seconds(refreshTokenLifetime)
        configuration.browserSessionLifetime = .seconds(browserSession)
        configuration.registrationPolicy = try registrationPolicy
        let logger = logging.logger("backend")

        try await LoginKioskBackend.complaining {
            let record = BackendRecord(state: state, logger: logger)
            let backend = try Backend(configuration: configuration, observer: record, logger: logger)
            let announcement = Announcement(
                backend: backend, state: state, showsOutbox: publicOutbox,
                registrations: configuration.registrationPolicy.extent)
            let group = LastingGroup()
            // Services stop in reverse order, so that verdicts are recorded to the end.
            var list = [group.signals(rereading: { backend.readCertificate() })]
            list.append(.init(service: Recording(record: record)))
            if let metricsPort {
                let server = MetricsServer(at: .port(Int(metricsPort)), record.answers, logger: logger)
                list.append(.init(service: LastingWork { try await server.run() }))
            }
            list.append(.init(service: backend))
            list.append(.init(service: LastingWork { try await announcement.run() }.andThenWaiting))
            try await group.run(list, logger: logger)
        }
    }
}

extension Dialect: ExpressibleByArgument {}

extension ProxyField: ExpressibleByArgument {
    /// Names of header fields have no case.
    public init?(argument: String) {
        guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = field
    }
}

/// `NAME=URI`.
struct PublicClientArgument: ExpressibleByArgument {
    let client: Backend.Client

    init?(argument: String) {
        let halves = argument.split(separator: "=", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        client = Backend.Client(id: String(halves[0]), redirectURI: String(halves[1]))
    }
}

/// `NAME=NETWORK,...`
struct PlaceArgument: ExpressibleByArgument {
    let place: NetworkPlace

    init?(argument: String) {
        let halves = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        place = NetworkPlace(
            name: String(halves[0]),
            networks: halves[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
}

/// Writes the record until the backend has ended.
private struct Recording: Service {
    let record: BackendRecord

    func run() async throws {
        await withGracefulShutdownHandler {
            await record.run()
        } onGracefulShutdown: {
            record.finish()
        }
    }
}

/// Prints the backend's addresses as soon as they are known.
private struct Announcement {
    let backend: Backend
    let state: String
    /// Whether the public site shows the mails.
    let showsOutbox: Bool
    let registrations: RegistrationPolicy.Extent

    func run() async throws {
        let addresses = try await backend.addresses
        // The outbox confirms registrations, so its address contains a password. The file, readable by the operator
        // alone, keeps it out of terminals and journals.
        let outboxFile = "\(state)/outbox-address"
        try PrivateFile.write("\(addresses.outboxAddressWithPassword)\n", to: outboxFile)
        print("serving \(addresses.publicURL)")
        print("activation mails: \(showsOutbox ? addresses.publicURL + "/outbox" : "the address in \(outboxFile)")")
        switch registrations {
        case .anybody: print("registrations: anybody with a mail address")
        case .listed: print("registrations: the users of --admit")
        case .nobody: print("registrations: nobody; say who may: --admit @example.com, or --admit anybody")
        }
        let command = "login-kiosk-backend operator-password --state \(state)"
        print("operator's page: \(addresses.publicURL)/operator, password: \(command)")
        fflush(nil)
    }
}
