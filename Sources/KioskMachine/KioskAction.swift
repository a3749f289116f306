// SPDX-License-Identifier: Apache-2.0

/// What the interpreter of the machine has to do, in the order given.
public enum KioskAction: Hashable, Sendable {
    /// Keep the login request of the code just seen under this number.
    case openSession(SessionNumber)
    /// Keep the address of the service, by its place in the list, under this number: nothing was scanned.
    case openErrand(SessionNumber, Errand, service: Int)
    /// Keep the identity of the personal card just seen, for the next session.
    case keepCard
    /// Forget it.
    case dropCard
    /// Keep the setup just seen.
    case keepSetup
    /// Forget it.
    case dropSetup
    /// Put it in place; answered by `setupEnded`.
    case applySetup
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
    /// The person said "not me" where service, domain and user were shown.
    case consentRefused(SessionNumber)
}

/// What happens to the PIN digits, which the machine never sees.
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

/// What happens to an access code that is typed by hand. The machine never sees it; the interpreter edits it and says
/// so with `codeEdited`.
public enum CodeAction: Hashable, Sendable {
    /// A moment has passed: another press of the same key is another character.
    case acceptTap
    /// Make the code a reading of the service, by its place in the list; answered by `codeTyped`.
    case submit(service: Int)
    /// What activates, in the code just seen, takes the place of what is typed.
    case takeScanned
    case wipe
}

/// What the interpreter finds about the digits of a new PIN. It says no more: neither the digits nor the rule they met.
public enum PINJudgement: Sendable, Hashable, CaseIterable {
    case good
    /// Repeated, counted, or like a year.
    case easyToGuess
    case allZeros
    /// The PIN that it shall take the place of.
    case unchanged
}
