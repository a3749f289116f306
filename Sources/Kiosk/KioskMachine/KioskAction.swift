// SPDX-License-Identifier: Apache-2.0

/// An action for the interpreter of the machine. Actions are carried out in the order given.
public enum KioskAction: Hashable, Sendable {
    /// Keep the login request of this code under this number.
    case openSession(SessionNumber, Handle)
    /// Keep the address of the service, by its index in the list, under this number: nothing was scanned.
    case openTask(SessionNumber, KioskTask, service: Int)
    /// Keep the identity of this personal card for the next session.
    case keepCard(Handle)
    /// Forget the kept card.
    case dropCard
    /// Install this profile; answered by `profileEnded`.
    case applyProfile(Handle)
    /// Read the installed settings.
    case adoptProfile
    /// Delete everything of this kiosk; answered by `resetEnded`.
    case reset
    /// Restart: some changes apply from the start only.
    case restart
    /// The session is over: drop its request and all its state.
    case closeSession(SessionNumber, SessionOutcome)

    case perform(KioskStep, SessionNumber)
    /// The answer to the step under way is no longer wanted.
    case cancelStep(SessionNumber)

    // The machine does not wait for these.
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
    /// The kiosk was not used for long: use fewer and smaller pictures while they do not change.
    case restCamera
    case wakeCamera

    // For counters and the log.
    /// The answer belongs to another step than the current one, which then fails.
    case unexpectedAnswer(SessionNumber)
    case refused(CodeRefusal)
    /// A card begins this task.
    case cardTaken(KioskTask)
    case consented(SessionNumber)
    /// An unverified person typed a wrong PIN.
    case unverifiedWrongPIN(SessionNumber)
    /// An unverified person was not asked for the PIN, because too many PINs were wrong.
    case unverifiedHeldUp(SessionNumber)
    /// A registration was refused, because too many were begun.
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
    /// Forget all digits, also those of a first entry.
    case wipe
    /// Keep the entry as the PIN for the next step.
    case complete
    /// Keep the entry as the old PIN until the session is closed.
    case keepOld
    /// Keep the entry as the first of two; answered by `newPINChecked`.
    case checkNew
    /// Compare the entry with the first and forget it; answered by `newPINsCompared`.
    case compareNew
}

/// An action on an access code that is typed by hand. The machine never sees the code; the interpreter edits it and
/// reports `codeEdited`.
public enum CodeAction: Hashable, Sendable {
    /// The time to change the last character is over: the next press of its key adds a character.
    case acceptTap
    /// Read the code as one of the service with this index in the list; answered by `codeTyped`.
    case submit(service: Int)
    /// Replace the typed text by the activating part of this code.
    case takeScanned(Handle)
    case wipe
}

/// The result of checking a new PIN. It reveals neither the digits nor the rule that they met.
public enum NewPINResult: Sendable, Hashable, CaseIterable {
    case good
    /// Repeated, consecutive, or like a year.
    case easyToGuess
    case allZeros
    /// The same as the old PIN.
    case unchanged
}
