// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The backend's description of the browser's session, with the known identities.
public struct BackendSession: Sendable, Equatable {
    public enum Obstacle: Sendable {
        /// The page shows another code now.
        case codeExpired
        /// The service's operator refuses logins of browsers elsewhere.
        case browserElsewhere
    }

    /// Empty when the backend does not report it.
    public let application: DisplayText
    public let customer: DisplayText
    /// The request in words. Anybody who can open a page at the service may have written them. Empty when there are
    /// none, and for a signing session, whose words are in ``signing``.
    public let task: DisplayText
    /// The user that the browser named; empty when it named none. A page can name any user.
    public let namedUser: String
    /// Whether the application that named the user proved itself to the backend; false when the backend does not report
    /// it.
    public let isUserVerified: Bool
    /// The document of a scanned signing session; nil for a login.
    public let signing: SigningRequest?
    /// Whether the browser is elsewhere than this kiosk; false when the backend does not report it.
    public let isBrowserElsewhere: Bool
    /// The obstacle that makes the session useless; nil when there is none.
    public let obstacle: Obstacle?
    /// Whether the backend registers people by a mail with a code or a link that verifies their address.
    public let verifiesAddresses: Bool
    /// The identities at this backend, in the order of their numbers.
    public internal(set) var identities: [KioskIdentity]

    public init(
        application: DisplayText = DisplayText(""), customer: DisplayText = DisplayText(""),
        task: DisplayText = DisplayText(""), namedUser: String = "",
        isUserVerified: Bool = false, signing: SigningRequest? = nil, isBrowserElsewhere: Bool = false,
        obstacle: Obstacle? = nil,
        verifiesAddresses: Bool = false, identities: [KioskIdentity] = []
    ) {
        self.application = application
        self.customer = customer
        self.task = task
        self.namedUser = namedUser
        self.isUserVerified = isUserVerified
        self.signing = signing
        self.isBrowserElsewhere = isBrowserElsewhere
        self.obstacle = obstacle
        self.verifiesAddresses = verifiesAddresses
        self.identities = identities
    }
}
