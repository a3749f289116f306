// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// An event for counters, records and the log. Carries no secret and no person.
public enum KioskEvent: Sendable, Hashable {
    case started
    case keypadChanged(isWorking: Bool)
    case cameraChanged(isWorking: Bool)
    case codeRefused(CodeRefusal)
    /// The domain is the line of the trust list that allowed the code.
    case sessionOpened(SessionNumber, domain: String)
    /// A card of the operator's is what begins the errand.
    case cardTaken(Errand)
    /// A person's card was read.
    case personalCardTaken
    /// From the menu or with a card, at this line of the trust list.
    case errandBegun(SessionNumber, Errand, domain: String)
    case consented(SessionNumber)
    /// A person whom nothing but a key named typed a wrong PIN.
    case pickedWrongPIN(SessionNumber)
    /// Such a person was not asked for a PIN, because too many were wrong.
    case pickedHeldUp(SessionNumber)
    /// A registration was not begun, because too many were.
    case registrationHeldUp(SessionNumber)
    /// "Not me": the person who scanned the code did not want this login.
    case consentRefused(SessionNumber, domain: String)
    case sessionClosed(SessionNumber, SessionOutcome)
    case identityDeleted
    /// An operator's setup is in place.
    case setUp
    /// Everything of this kiosk was made unreadable, by keys.
    case reset
    case stopped
}
