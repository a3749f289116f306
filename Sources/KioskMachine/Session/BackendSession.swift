// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// What the backend says about the browser's session, and who is known here.
public struct BackendSession: Sendable, Equatable {
    /// Empty when the backend does not say.
    public let application: DisplayText
    public let customer: DisplayText
    /// The user that the browser named; empty when it named none.
    public let namedUser: String
    /// What a scanned code wants to have signed; nil for a login.
    public let signing: SigningRequest?
    /// The identities at this backend, in the order of their numbers.
    public let identities: [KioskIdentity]

    public init(
        application: DisplayText = DisplayText(""), customer: DisplayText = DisplayText(""), namedUser: String = "",
        signing: SigningRequest? = nil, identities: [KioskIdentity] = []
    ) {
        self.application = application
        self.customer = customer
        self.namedUser = namedUser
        self.signing = signing
        self.identities = identities
    }
}
