// SPDX-License-Identifier: Apache-2.0

extension Backend {
    /// Everything an operator decides.
    public struct Configuration: Sendable {
        /// The folder that master secrets and database live in; made if missing.
        public var stateDirectory: String
        /// Where everything that one request leaves for another is kept: PostgreSQL as libpq addresses it, without a
        /// password. Nil: a file of the state directory, and the memory of this process.
        public var database: String?
        /// How many connections to PostgreSQL this process has at most, beside one that listens.
        public var databaseConnections: Int
        /// The address to listen on.
        public var listenHost: String
        /// The port to listen on; 0 takes a free one.
        public var listenPort: Int
        /// The origin under which browsers and kiosks reach the site, e.g. `https://login.example.com`. It goes into QR
        /// codes, mails and settings. Nil: listen address and bound port.
        public var publicURL: String?
        /// Addresses of proxies in front of the site. What comes from them comes from the last address in their
        /// `X-Forwarded-For`.
        public var trustedProxies: [String]
        /// The networks of each place. Where there are none, browser and device are at one place that have one address.
        public var places: [Place] = []
        /// Whether a device must not log a browser in that is at another place.
        public var refusesOtherPlaces = false
        /// How long a page shows a code that no device reads, before it shows another one.
        public var codeLifetime = Duration.seconds(30)
        /// How many connections one address may have open; those of trusted proxies do not count.
        public var connectionsPerAddress: Int
        /// How long it serves on after it was told to stop, while `/readyz` says so to a load balancer.
        public var drainTime: Duration
        /// The name that kiosks show.
        public var siteName: String
        /// Certificate and key when the site itself speaks TLS.
        public var tls: TLS?
        /// Shows the outbox at `/outbox` of the public site. Any visitor can then confirm every registration.
        public var publicOutbox: Bool
        /// Whether each login is told its owner by mail.
        public var mailsLogins = false
        /// The server that takes activation mails; nil: they are only in the outbox.
        public var mail: Mail?
        /// The company id that devices have to send as `X-MIRACL-CID` or `X-MIRACL-Client-ID`; the dialect `mfa-v1`
        /// needs one. For the Trust dialects it is the project id, which is made at the first start if nothing is said
        /// here.
        public var companyID: String?
        /// How many digits people of the Trust dialects choose: 4 to 6.
        public var pinLength: Int
        /// The dialect that devices are spoken to in.
        public var dialect: Dialect
        /// The lowest version of login-kiosk that may log in, e.g. `1.2`.
        public var minimumClientVersion: String?
        /// The people who may register.
        public var registrationPolicy: RegistrationPolicy
        /// Where the OpenID provider may send browsers back to, besides this backend's own web sites, for relying
        /// parties that have the state directory's credentials.
        public var redirectURIs: [String]
        /// Applications without a secret that may let their users log in.
        public var publicClients: [Client]
        /// Whether relying parties that have the credentials need PKCE, too.
        public var requiresProofKeys = false
        /// How long access and ID tokens count: a minute to 12 hours.
        public var tokenLifetime = Duration.seconds(300)
        /// How long refresh tokens count, up to 30 days, for applications with a secret; zero: there are none.
        public var refreshTokenLifetime = Duration.zero
        /// How long a browser that logged in at the OpenID provider stays so for further applications, up to 12 hours;
        /// zero: every request takes a PIN.
        public var browserSessionLifetime = Duration.zero
        /// A file whose first line is the passphrase that seals the master secrets.
        public var passphraseFile: String?
        /// Where the D-TAs are when they are processes of their own; nil: both are inside of the backend.
        public var remoteAuthorities: RemoteAuthorities?

        public init(
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
    /// Networks in which a browser and a device are at one place.
    public struct Place: Hashable, Sendable {
        public var name: String
        /// Addresses, or their first bits as in `192.0.2.0/24`.
        public var networks: [String]

        public init(name: String, networks: [String]) {
            self.name = name
            self.networks = networks
        }
    }
}

extension Backend {
    /// The mail server that takes activation mails.
    public struct Mail: Hashable, Sendable {
        /// `smtp://host:port` or `smtps://host:port`. With `smtp` and without a user name TLS is used where the server
        /// offers it, whatever its certificate.
        public var url: String
        /// The address the mails come from.
        public var sender: String
        public var userName: String?
        /// A file whose first line is the password; arguments and environments can be read by others.
        public var passwordFile: String?
        /// Whether mails are sent over TLS alone, to a server whose certificate is believed.
        public var requiresTLS: Bool
        /// PEM file of the authorities that vouch for the server; nil for the system's.
        public var certificatesFile: String?

        public init(
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
    /// A public client of the OpenID provider: an application that cannot keep a secret, and proves itself with PKCE
    /// alone.
    public struct Client: Hashable, Sendable {
        /// The id that it calls itself by.
        public var id: String
        /// Where browsers go on, compared letter for letter.
        public var redirectURI: String

        public init(id: String, redirectURI: String) {
            self.id = id
            self.redirectURI = redirectURI
        }
    }
}
