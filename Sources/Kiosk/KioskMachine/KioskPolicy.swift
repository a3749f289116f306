// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues

/// The operator's choices about a kiosk's behaviour.
public struct KioskPolicy: Sendable, Hashable {
    /// The treatment of a new PIN that is easy to guess. A PIN of zeros is always refused: its token would be the
    /// whole secret.
    public enum WeakPINs: String, Sendable, CaseIterable {
        /// Warns the person, who may keep it by typing it again.
        case warn
        case refuse
    }

    /// The way to choose one of several identities.
    public enum IdentityChoice: String, Sendable, CaseIterable {
        /// The person types the identity's number or first letters, so that nobody sees who else has an identity here.
        case typed
        /// The person chooses from a list on the screen: for kiosks among people who know each other.
        case list
    }

    /// Within `Pin.lengths`.
    public let minimumPINLength: Int
    public let weakPINs: WeakPINs
    public let identityChoice: IdentityChoice
    /// The time that the scan screen is unused before the camera may rest; nil for never.
    public let cameraRest: Duration?

    /// The tasks that only a printed card begins, and not the menu.
    public let cardTasks: Set<KioskTask>
    /// The number of registrations an hour that begin without a login page. Each sends somebody a mail, or tries a
    /// code.
    public let registrationsPerHour: Int
    /// Whether people can ask for speech.
    public let offersSpeech: Bool
    /// The look of drawn screens for a person who has not asked for another.
    public let look: ScreenLook
    /// Whether people can ask for another look: whether there is a drawn screen.
    public let offersLook: Bool

    /// - Parameter minimumPINLength: the least number of digits of a new PIN; limited to `Pin.lengths`.
    public init(
        minimumPINLength: Int = Pin.lengths.lowerBound, weakPINs: WeakPINs = .warn,
        identityChoice: IdentityChoice = .typed, cameraRest: Duration? = .seconds(3600),
        cardTasks: Set<KioskTask> = [], registrationsPerHour: Int = 30, offersSpeech: Bool = false,
        look: ScreenLook = .usual, offersLook: Bool = false
    ) {
        self.minimumPINLength = min(max(minimumPINLength, Pin.lengths.lowerBound), Pin.lengths.upperBound)
        self.weakPINs = weakPINs
        self.identityChoice = identityChoice
        self.cameraRest = cameraRest
        self.cardTasks = cardTasks
        self.registrationsPerHour = registrationsPerHour
        self.offersSpeech = offersSpeech
        self.look = look
        self.offersLook = offersLook
    }
}
