// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The backend's description of the browser's session, with the identities that are known here.
public struct BackendSession: Sendable, Equatable {
    public enum Obstacle: Sendable {
        /// The page shows another code by now.
        case codeExpired
        /// The operator of the service refuses logins of browsers at another place.
        case browserElsewhere
    }

    /// Empty when the backend does not say.
    public let application: DisplayText
    public let customer: DisplayText
    /// The task, in the words of the service. It is empty when the service says nothing, and for a signing session,
    /// which has them in ``signing``.
    public let task: DisplayText
    /// The user that the browser named; empty when it named none.
    public let namedUser: String
    /// The document that a scanned code wants to have signed; nil for a login.
    public let signing: SigningRequest?
    /// Whether the browser that is to be logged in is at another place than this kiosk; false when the backend does
    /// not say.
    public let isBrowserElsewhere: Bool
    /// Why nothing comes of the session; nil where nothing stands against it.
    public let obstacle: Obstacle?
    /// Whether the backend registers people with the code or the link of a mail that verifies their address.
    public let verifiesAddresses: Bool
    /// The identities at this backend, in the order of their numbers.
    public internal(set) var identities: [KioskIdentity]

    public init(
        application: DisplayText = DisplayText(""), customer: DisplayText = DisplayText(""),
        task: DisplayText = DisplayText(""), namedUser: String = "",
        signing: SigningRequest? = nil, isBrowserElsewhere: Bool = false, obstacle: Obstacle? = nil,
        verifiesAddresses: Bool = false, identities: [KioskIdentity] = []
    ) {
        self.application = application
        self.customer = customer
        self.task = task
        self.namedUser = namedUser
        self.signing = signing
        self.isBrowserElsewhere = isBrowserElsewhere
        self.obstacle = obstacle
        self.verifiesAddresses = verifiesAddresses
        self.identities = identities
    }
}
