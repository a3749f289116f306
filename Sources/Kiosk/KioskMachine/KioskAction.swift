// SPDX-License-Identifier: Apache-2.0

/// An action for the interpreter of the machine. Actions are carried out in the order given.
public enum KioskAction: Hashable, Sendable {
    /// Keep the login request of this code under this number.
    case openSession(SessionNumber, Handle)
    /// Keep the address of the service, by its place in the list, under this number: nothing was scanned.
    case openErrand(SessionNumber, Errand, service: Int)
    /// Keep the identity of this personal card for the next session.
    case keepCard(Handle)
    /// Forget it.
    case dropCard
    /// Put this setup in place; answered by `setupEnded`.
    case applySetup(Handle)
    /// Read the settings that are in place now.
    case adoptSetup
    /// Delete everything of this kiosk; answered by `resetEnded`.
    case reset
    /// Start anew: what has changed counts from the start only.
    case restart
    /// The session is over: drop its request and everything else of it.
    case closeSession(SessionNumber, SessionOutcome)

    case perform(KioskStep, SessionNumber)
    /// The answer to the step under way is no longer wanted.
    case cancelStep(SessionNumber)

    // The machine does not wait for these three.
    /// Tell the server that the session was given up.
    case abort(SessionNumber)
    case deleteIdentity(KioskIdentity)
    case forgetShares(KioskIdentity)

    case entry(EntryAction)
    case code(CodeAction)

    case startTimer(KioskTimer, Duration, SessionNumber)
    case stopTimer(KioskTimer)

    case pauseCamera
    case resumeCamera
    /// The kiosk stands long unused: fewer and smaller pictures will do, as long as they do not change.
    case restCamera
    case wakeCamera

    // For counters and the log.
    /// The step under way was answered by what another one brings; it counts as failed.
    case unexpectedAnswer(SessionNumber)
    case refused(CodeRefusal)
    /// A card begins this errand.
    case cardTaken(Errand)
    case consented(SessionNumber)
    /// A person whom nothing but a key named typed a wrong PIN.
    case pickedWrongPIN(SessionNumber)
    /// Such a person was not asked for the PIN: too many were wrong.
    case pickedHeldUp(SessionNumber)
    /// A registration was not begun, because too many were.
    case registrationHeldUp(SessionNumber)
    /// The person said "not me" where service, domain and user were shown.
    case consentRefused(SessionNumber)
}

/// An action on the PIN digits, which the machine never sees.
public enum EntryAction: Hashable, Sendable {
    /// Keep the digit just pressed.
    case append
    case removeLast
    /// Forget the digits of this entry.
    case clear
    /// Forget all digits, those of a first entry too.
    case wipe
    /// Put the entry aside as the PIN that the next step takes.
    case complete
    /// Put the entry aside as the PIN that a new one shall take the place of; it is kept until the session is closed.
    case keepOld
    /// Put the entry aside as the first of two; answered by `newPINJudged`.
    case judgeNew
    /// Compare the entry with the first and forget it; answered by `newPINsCompared`.
    case compareNew
}

/// An action on an access code that is typed by hand. The machine never sees it; the interpreter edits it and says so
/// with `codeEdited`.
public enum CodeAction: Hashable, Sendable {
    /// A moment has passed: another press of the same key is another character.
    case acceptTap
    /// Make the code a reading of the service, by its place in the list; answered by `codeTyped`.
    case submit(service: Int)
    /// Put the activating part of this code in the place of what is typed.
    case takeScanned(Handle)
    case wipe
}

/// The interpreter's finding about the digits of a new PIN. It says no more: neither the digits nor the rule they met.
public enum PINJudgement: Sendable, Hashable, CaseIterable {
    case good
    /// Repeated, counted, or like a year.
    case easyToGuess
    case allZeros
    /// The PIN that it shall take the place of.
    case unchanged
}
