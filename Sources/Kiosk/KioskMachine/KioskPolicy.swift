// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// The operator's choices about a kiosk's behaviour.
public struct KioskPolicy: Sendable, Hashable {
    /// The treatment of a new PIN that is easy to guess. A PIN of zeros only is always refused: its token would be the
    /// whole secret.
    public enum WeakPINs: String, Sendable, CaseIterable {
        /// The person is told, and may keep it by typing it again.
        case warn
        case refuse
    }

    /// How one of several identities is found.
    public enum IdentityChoice: String, Sendable, CaseIterable {
        /// By its number or its first letters; no person is shown who else has an identity here.
        case typed
        /// The same, from a list on the screen: for kiosks among people who know each other.
        case list
    }

    /// Within `Pin.lengths`.
    public let minimumPINLength: Int
    public let weakPINs: WeakPINs
    public let identityChoice: IdentityChoice
    /// How long the scan screen stands unused until the camera may rest; nil: it never does.
    public let cameraRest: Duration?

    /// The errands that only a card of the operator's begins, and not the menu.
    public let cardErrands: Set<Errand>
    /// How many registrations may be begun in an hour that no login page asks for: each costs somebody a mail, or is a
    /// code that is tried.
    public let registrationsPerHour: Int

    public static let usualCameraRest = Duration.seconds(3600)
    public static let usualRegistrationsPerHour = 30

    /// - Parameter minimumPINLength: how many digits a new PIN has at least; moved into `Pin.lengths`.
    public init(
        minimumPINLength: Int = Pin.lengths.lowerBound, weakPINs: WeakPINs = .warn,
        identityChoice: IdentityChoice = .typed, cameraRest: Duration? = KioskPolicy.usualCameraRest,
        cardErrands: Set<Errand> = [], registrationsPerHour: Int = KioskPolicy.usualRegistrationsPerHour
    ) {
        self.minimumPINLength = min(max(minimumPINLength, Pin.lengths.lowerBound), Pin.lengths.upperBound)
        self.weakPINs = weakPINs
        self.identityChoice = identityChoice
        self.cameraRest = cameraRest
        self.cardErrands = cardErrands
        self.registrationsPerHour = registrationsPerHour
    }
}
