// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// The operator's settings.
    package struct Configuration: Sendable {
        /// The folder with the master secrets and the database. Created if missing.
        package var stateDirectory: String
        /// The database for everything that outlives a request: PostgreSQL, addressed as for libpq, without a
        /// password. Nil for a file of the state directory and this process's memory.
        package var database: String?
        /// The largest number of connections to PostgreSQL, without the one that listens.
        package var databaseConnections: Int
        /// The address to listen on.
        package var listenHost: String
        /// The port to listen on; 0 for a free one.
        package var listenPort: Int
        /// The origin at which browsers and kiosks reach the site, e.g. `https://login.example.com`. QR codes, mails
        /// and settings contain it. Nil for listen address and bound port.
        package var publicURL: String?
        /// Addresses or networks of proxies in front of the site. Their requests count as those of the last address in
        /// ``proxyField``.
        package var trustedProxies: [String]
        /// The header field that the proxies write.
        package var proxyField = ProxyField.xForwardedFor
        /// The networks of each place. Without any, browser and device are at one place if they have the same
        /// address.
        package var places: [NetworkPlace] = []
        /// Whether a device must not log in a browser at another place.
        package var refusesOtherPlaces = false
        /// The time after which a page replaces a code that no device has read.
        package var codeLifetime = Duration.seconds(30)
        /// The number of connections that one address may have open. Those of trusted proxies do not count.
        package var connectionsPerAddress: Int
        /// The time that a stopping backend still serves, while `/readyz` warns a load balancer.
        package var drainTime: Duration
        /// The name that kiosks show.
        package var siteName: String
        /// Certificate and key, if the site itself speaks TLS.
        package var tls: TLS?
        /// Whether the public site shows the outbox at `/outbox`. Then any visitor can confirm every registration.
        package var publicOutbox: Bool
        /// Whether owners get a mail about each login.
        package var mailsLogins = false
        /// The mail server; nil to keep mails in the outbox only.
        package var mail: Mail?
        /// The company id that devices must send as `X-MIRACL-CID` or `X-MIRACL-Client-ID`; nil for any
        /// device. In the Trust dialects it is the project id, which the first start creates if this is nil.
        package var companyID: String?
        /// The number of PIN digits in the Trust dialects: 4 to 6.
        package var pinLength: Int
        /// The dialect of the origin.
        package var dialect: Dialect
        /// The lowest version of login-kiosk that may log in, e.g. `1.2`.
        package var minimumClientVersion: String?
        /// The people who may register.
        package var registrationPolicy: RegistrationPolicy
        /// The addresses to which the OpenID provider may send browsers of relying parties that have the state
        /// directory's credentials, besides this backend's own web sites.
        package var redirectURIs: [String]
        /// Applications without a secret.
        package var publicClients: [Client]
        /// Whether relying parties with the state directory's credentials need PKCE, too.
        package var requiresProofKeys = false
        /// Lifetime of access and ID tokens: a minute to 12 hours. An hour is usual: relying parties whose clock is some
        /// minutes ahead accept such a token, and those whose sessions end with it ask for the PIN once an hour.
        package var tokenLifetime = Duration.seconds(3600)
        /// Lifetime of refresh tokens for applications with a secret, up to 30 days; zero for none.
        package var refreshTokenLifetime = Duration.zero
        /// The time that the OpenID provider keeps a browser logged in for further applications, up to 12 hours; zero
        /// if every request needs a PIN.
        package var browserSessionLifetime = Duration.zero
        /// A file whose first line is the passphrase that seals the master secrets.
        package var passphraseFile: String?
        /// The addresses of D-TAs in processes of their own; nil if both are inside of the backend.
        package var remoteAuthorities: RemoteAuthorities?

        package init(
            stateDirectory: String, listenHost: String = "127.0.0.1", listenPort: Int = 0, publicURL: String? = nil,
            siteName: String = "login-kiosk demonstration", tls: TLS? = nil, publicOutbox: Bool = false,
            mail: Mail? = nil, companyID: String? = nil, pinLength: Int = 4, dialect: Dialect = .milagro,
            minimumClientVersion: String? = nil, registrationPolicy: RegistrationPolicy = .everyone,
            redirectURIs: [String] = [], publicClients: [Client] = [], passphraseFile: String? = nil,
            trustedProxies: [String] = [], connectionsPerAddress: Int = 128, drainTime: Duration = .zero,
            database: String? = nil, databaseConnections: Int = 8
        ) {
            self.stateDirectory = stateDirectory
            self.database = database
            self.databaseConnections = databaseConnections
            self.listenHost = listenHost
            self.listenPort = listenPort
            self.publicURL = publicURL
            self.siteName = siteName
            self.trustedProxies = trustedProxies
            self.connectionsPerAddress = connectionsPerAddress
            self.drainTime = drainTime
            self.tls = tls
            self.publicOutbox = publicOutbox
            self.mail = mail
            self.companyID = companyID
            self.pinLength = pinLength
            self.dialect = dialect
            self.minimumClientVersion = minimumClientVersion
            self.registrationPolicy = registrationPolicy
            self.redirectURIs = redirectURIs
            self.publicClients = publicClients
            self.passphraseFile = passphraseFile
        }
    }
}

extension Backend {
    /// The mail server.
    package struct Mail: Hashable, Sendable {
        /// `smtp://host:port` or `smtps://host:port`. With `smtp` and no user name, TLS is used if the server offers
        /// it, with any certificate.
        package var url: String
        /// The sender's address.
        package var sender: String
        package var userName: String?
        /// A file whose first line is the password. Other users could read arguments and environments.
        package var passwordFile: String?
        /// Whether mails are sent only over TLS, to a server with a trusted certificate.
        package var requiresTLS: Bool
        /// PEM file of the authorities to trust; nil for the system's.
        package var certificatesFile: String?

        package init(
            url: String, sender: String, userName: String? = nil, passwordFile: String? = nil,
            requiresTLS: Bool = false, certificatesFile: String? = nil
        ) {
            self.requiresTLS = requiresTLS
            self.certificatesFile = certificatesFile
            self.url = url
            self.sender = sender
            self.userName = userName
            self.passwordFile = passwordFile
        }
    }
}

extension Backend {
    /// A public client of the OpenID provider: an application that cannot keep a secret and proves itself by PKCE.
    package struct Client: Hashable, Sendable {
        /// The client id.
        package var id: String
        /// The address that browsers return to, compared exactly.
        package var redirectURI: String

        package init(id: String, redirectURI: String) {
            self.id = id
            self.redirectURI = redirectURI
        }
    }
}
