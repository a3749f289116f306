// SPDX-License-Identifier: Apache-2.0

public import KioskMachine
public import PersonalCards

/// The tasks that a kiosk offers besides a login by a QR code, with its policy, keys and number of lost identities.
public struct KioskFeatures: Sendable {
    /// The doors that people open by logging in here.
    public var localLogins: [LocalLogin]
    /// The tasks of the menu and of cards, in this order; nine at most.
    public var tasks: [KioskTask]
    /// Nil without signing.
    public var signing: DocumentSigning?
    public var policy: KioskPolicy
    /// The number of this device's identities that are gone: people are told where they would miss theirs.
    public var lostIdentities: Int
    /// Opens and seals personal cards; nil without a fleet key.
    public var cards: FleetCards?
    /// Sets up and resets the kiosk; nil when neither is possible.
    public var provisioning: (any ProvisioningService)?
    /// The keys with which the operator deletes everything in the first seconds; empty for none.
    public var resetKeys: [KnownKey]

    public init(
        localLogins: [LocalLogin] = [], tasks: [KioskTask] = [], signing: DocumentSigning? = nil,
        policy: KioskPolicy = KioskPolicy(), lostIdentities: Int = 0, cards: FleetCards? = nil,
        provisioning: (any ProvisioningService)? = nil, resetKeys: [KnownKey] = []
    ) {
        self.localLogins = localLogins
        self.tasks = tasks
        self.signing = signing
        self.policy = policy
        self.lostIdentities = lostIdentities
        self.cards = cards
        self.provisioning = provisioning
        self.resetKeys = resetKeys
    }
}
