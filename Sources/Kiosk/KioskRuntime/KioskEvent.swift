// SPDX-License-Identifier: Apache-2.0

public import KioskMachine

/// An event for counters, records and the log. It names no secret and no person.
public enum KioskEvent: Sendable, Hashable {
    case started
    case keypadChanged(isWorking: Bool)
    case cameraChanged(isWorking: Bool)
    case codeRefused(CodeRefusal)
    /// The domain is the line of the trust list that allowed the code.
    case sessionOpened(SessionNumber, domain: String)
    /// A printed card began the task.
    case cardTaken(KioskTask)
    /// A personal card was read.
    case personalCardTaken
    /// Begun from the menu or with a card, at this line of the trust list.
    case taskBegun(SessionNumber, KioskTask, domain: String)
    case consented(SessionNumber)
    /// An unverified person typed a wrong PIN.
    case unverifiedWrongPIN(SessionNumber)
    /// An unverified person was not asked for a PIN, because too many PINs were wrong.
    case unverifiedHeldUp(SessionNumber)
    /// A registration was refused, because too many were begun.
    case registrationHeldUp(SessionNumber)
    /// "Not me": the person who scanned the code refused this login.
    case consentRefused(SessionNumber, domain: String)
    case sessionClosed(SessionNumber, SessionOutcome)
    case identityDeleted
    /// An operator's profile was installed.
    case setUp
    /// Keys of the operator made everything on this kiosk unreadable.
    case reset
    case stopped
}
