// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BackendHTTP
import BackendValues
import Encoding
import LinuxSystem
import MPinServer
import OpenIDProvider

extension Backend {
    /// The operator's settings, which are the options of `login-kiosk-backend serve`: each property has its type,
    /// check and default. Settings that depend on each other are in one group.
    package struct Configuration: ParsableArguments, Sendable {
        @OptionGroup var site: Site
        @OptionGroup var tls: TLSSettings
        @OptionGroup var clients: Clients
        @OptionGroup var places: Places
        @OptionGroup var devices: Devices
        @OptionGroup var registrations: Registrations
        @OptionGroup var applications: Applications
        @OptionGroup var mails: Mails
        @OptionGroup var authorities: AuthoritySettings
        @Option("Maximum number of connections to the database, besides one that listens", in: 1...500)
        var databaseConnections = 8
        @Option(
            """
            Seconds to serve on after it was told to stop, while /readyz tells a load balancer to send requests \
            elsewhere
            """, in: 0...300)
        var drainTime = Duration.zero

        package init() {}

        /// Whether browsers reach the site by https.
        var isHTTPS: Bool { site.publicURL?.text.hasPrefix("https://") ?? (tls.files != nil) }
    }
}

extension Backend.Configuration {
    /// Name and addresses of the site.
    struct Site: ParsableArguments {
        @Option(help: "HOST:PORT to listen on: [::1]:8480 for IPv6, *:8480 for every address; port 0 takes a free one.")
        var listen = ListenAddress(host: "127.0.0.1", port: 8480)
        @Option(
            help: "Origin at which browsers and kiosks reach the backend, for example https://login.example.com.",
            transform: PublicURL.init)
        var publicURL: PublicURL?
        @Option(help: "Name that kiosks show.") var siteName = "login-kiosk demonstration"

        func validate() throws {
            if publicURL == nil, listen.isEvery {
                throw ValidationError(
                    "a backend that listens on every address needs --public-url, which browsers and kiosks use")
            }
        }
    }

    /// The addresses of clients, and their bounds.
    struct Clients: ParsableArguments {
        @Option(
            help: """
                IP address or network of a proxy in front of it, which names its clients: 192.0.2.10, 172.18.0.0/16 or \
                [::1]. Bounds by address need it. Repeat for more.
                """,
            transform: Network.init)
        var trustedProxy: [Network] = []
        @Option(help: "Header that the proxies write, X-Forwarded-For or Forwarded. Clients can write the other one.")
        var proxyHeader = ProxyField.xForwardedFor
        @Option(
            "Maximum number of connections of one address, except trusted proxies", in: 1...ConnectionBounds.maximum)
        var connectionsPerAddress = 128

        /// - Parameter certificate: nil where the site does not speak TLS.
        func connections(_ certificate: ServerCertificate?) -> ConnectionRules {
            ConnectionRules(
                from: ClientAddressSource(trustedProxies: trustedProxy, field: proxyHeader),
                perAddress: connectionsPerAddress, tls: certificate?.connections)
        }
    }

    /// The locations of browsers and kiosks.
    struct Places: ParsableArguments {
        @Option(
            help: """
                Networks that are one place, for example --place library=192.0.2.0/24,2001:db8:7::/48: a kiosk says \
                when the browser that it is to log in is at another place. Repeat for more.
                """,
            transform: NetworkPlace.init)
        var place: [NetworkPlace] = []
        @Flag(help: "Refuse a login if the browser is in another network than the kiosk.")
        var refuseOtherPlaces = false
        @Option(
            "Seconds until a login page replaces a code that no kiosk has read",
            in: 10...Int(LoginSession.lifetime.components.seconds))
        var codeLifetime = Duration.seconds(30)

        func validate() throws {
            for (index, one) in place.enumerated() {
                for other in place[..<index] {
                    if one.name == other.name { throw ValidationError("--place: \(one.name) is there twice") }
                    guard !one.overlaps(other) else {
                        throw ValidationError("--place: networks of \(other.name) and \(one.name) overlap")
                    }
                }
            }
        }
    }

    /// The dialect of the origin, and the devices that the site admits.
    struct Devices: ParsableArguments {
        @Option(
            help: "Company id that devices must send as X-MIRACL-CID. From mfa-v2 on it is the project id.",
            transform: parsing("1 to 128 visible ASCII characters without spaces and #, because it is a project id") {
                let isValid = $0.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }
                return isValid && (1...128).contains($0.utf8.count) ? $0 : nil
            })
        var companyID: String?
        @Option(
            help: """
                What the origin speaks: milagro, milagro-without-permits, mfa-v1, mfa-v2, \
                trust-2023 or trust-2025.
                """)
        var dialect = Dialect.milagro
        @Option("Digits of a PIN from mfa-v2 on", in: 4...6) var pinLength = 4
        @Option(
            help: "Lowest version of login-kiosk that may log in, for example 1.2.",
            transform: parsing("one to four numbers and dots") { ClientVersion($0) })
        var minimumClientVersion: ClientVersion?

        var policy: ClientPolicy { ClientPolicy(companyID: companyID, minimumVersion: minimumClientVersion) }
    }

    /// The people who may register.
    struct Registrations: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Users that may register: name@example.com, @example.com for a domain, or anybody. Repeat for more. "
                    + "Without it nobody may.", valueName: "pattern"),
            // A wildcard would be a user id that nobody has.
            transform: parsing("name@example.com, @example.com, or anybody") {
                $0.contains("*") || $0.isEmpty ? nil : $0
            })
        var admit: [String] = []

        var policy: RegistrationPolicy { RegistrationPolicy(admitting: admit) }

        func validate() throws {
            if policy == .everyone, admit.count > 1 {
                throw ValidationError("--admit anybody admits everybody; leave out the others")
            }
        }
    }

    /// Clients of the OpenID provider besides those that the operator registers by command.
    struct Applications: ParsableArguments {
        @Option(
            help: """
                Address that the OpenID provider may send browsers back to, for a relying party with the credentials in \
                the state directory. Repeat for more.
                """,
            transform: parsing("an absolute address such as https://app.example.com/login, without fragment") {
                RedirectAddress.isValid($0) ? $0 : nil
            })
        var redirectURI: [String] = []
        @Option(
            help: "Application without a secret, with its redirect URI: NAME=URI. Repeat for more.",
            transform: parsing("NAME=URI: visible ASCII characters, and an absolute address without fragment") {
                PublicClient($0)
            })
        var publicClient: [PublicClient] = []
        @Flag(name: .customLong("require-pkce"), help: "Require PKCE (S256) of relying parties with a secret, too.")
        var requiresProofKeys = false
        /// An hour is usual: relying parties whose clock is some minutes ahead accept such a token, and those whose
        /// sessions end with it ask for the PIN once an hour. A key set shows the previous key for a day.
        @Option("Seconds that access and ID tokens are valid", in: 60...43200)
        var tokenLifetime = Duration.seconds(3600)
        @Option(
            """
            Seconds that refresh tokens are valid, for applications with a secret that ask for offline_access, or 0 \
            for none
            """, in: 0...2_592_000)
        var refreshTokenLifetime = Duration.zero
        @Option(
            "Seconds that a browser stays logged in for further applications, or 0 if each takes a PIN", in: 0...43200)
        var browserSession = Duration.zero

        var providerSettings: OpenIDSettings {
            OpenIDSettings(
                tokenLifetime: tokenLifetime, refreshLifetime: refreshTokenLifetime,
                offersLogout: browserSession > .zero)
        }

        /// The applications without a secret, each with all its addresses.
        var publicClients: [OpenIDClient] {
            Dictionary(grouping: publicClient, by: \.id).sorted { $0.key < $1.key }.map { id, entries in
                OpenIDClient(id: id, name: id, redirectURIs: entries.map(\.redirectURI))
            }
        }
    }

    /// The mails, and the server that takes them.
    struct Mails: ParsableArguments {
        @Flag(help: "Show activation mails at /outbox of the public site. Anybody can then confirm any registration.")
        var publicOutbox = false
        @Option(
            help: "Mail server for activation mails: smtp://host:port or smtps://host:port.",
            transform: parsing("smtp://host:port or smtps://host:port, without a user name in it") {
                MailServer.isURL($0) ? $0 : nil
            })
        var smtp: String?
        @Option(help: "Sender of activation mails.") var smtpFrom = "login-kiosk@localhost"
        @Option(help: "User name at the mail server.") var smtpUser: String?
        @Option(help: "File whose first line is the password at the mail server.") var smtpPasswordFile: String?
        @Flag(help: "Send mails only over TLS, to a mail server with a valid certificate.") var smtpRequireTLS = false
        @Option(
            name: .customLong("smtp-ca"), help: "PEM file of the certificate authorities of the mail server.")
        var smtpAuthorities: String?
        @Flag(help: "Mail the owner of an identity about each login: a few an hour, the others as a number.")
        var mailLogins = false

        func validate() throws {
            guard MailAddress.isValid(smtpFrom) else { throw ValidationError("--smtp-from has to be a mail address") }
            if smtp == nil, smtpRequireTLS || smtpAuthorities != nil {
                throw ValidationError("--smtp-require-tls and --smtp-ca are for --smtp")
            }
        }

        /// - Returns: nil to keep mails in the outbox only.
        func server() throws(BackendError) -> MailServer? {
            guard let smtp else { return nil }
            if let smtpAuthorities { _ = try StateDirectory.content(of: smtpAuthorities, .unaltered) }
            return MailServer(
                url: smtp, sender: smtpFrom, userName: smtpUser,
                password: try smtpPasswordFile.map { path throws(BackendError) in
                    try StateDirectory.firstLine(of: path)
                }, requiresTLS: smtpRequireTLS, certificatesFile: smtpAuthorities)
        }
    }

    /// The D-TAs, in the backend or elsewhere.
    struct AuthoritySettings: ParsableArguments {
        @Option(help: "File whose first line is the passphrase that seals the master secrets.")
        var passphraseFile: String?
        @Option(
            name: .customLong("dta1"), help: "Address of D-TA 1, if the D-TAs are separate programs.",
            transform: AuthorityURL.init)
        var first: AuthorityURL?
        @Option(
            name: .customLong("dta2"), help: "Address of D-TA 2, which devices reach, too.",
            transform: AuthorityURL.init)
        var second: AuthorityURL?
        @Option(name: .customLong("dta-ca"), help: "PEM file of the certificate authorities of the D-TAs.")
        var certificatesFile: String?

        func validate() throws {
            guard (first == nil) == (second == nil) else { throw ValidationError("--dta1 and --dta2 go together") }
            guard let first else {
                if certificatesFile == nil { return }
                throw ValidationError("--dta-ca is for --dta1 and --dta2")
            }
            if first.text == second?.text {
                throw ValidationError("both D-TAs have one address; each has half of the master secret")
            }
            if passphraseFile != nil {
                throw ValidationError("the passphrase opens a master secret, which D-TAs elsewhere hold; give it there")
            }
        }

        func passphrase() throws(BackendError) -> SecretBytes? {
            try passphraseFile.map { path throws(BackendError) in try StateDirectory.firstLine(of: path) }
        }
    }
}

/// Certificate and key of a listener.
struct TLSSettings: ParsableArguments {
    @Option(help: "PEM file of the certificate chain.") var tlsCert: String?
    @Option(help: "PEM file of the certificate's key.") var tlsKey: String?

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) { throw ValidationError("--tls-cert and --tls-key go together") }
    }

    /// Nil where the listener does not speak TLS.
    var files: Backend.TLS? {
        guard let tlsCert, let tlsKey else { return nil }
        return Backend.TLS(certificateChainFile: tlsCert, privateKeyFile: tlsKey)
    }
}
