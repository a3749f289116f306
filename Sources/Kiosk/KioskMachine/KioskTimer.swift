// SPDX-License-Identifier: Apache-2.0

/// A timer by its purpose; starting one that runs replaces it.
public enum KioskTimer: Hashable, Sendable {
    /// How long a session may take.
    case session
    /// How long a PIN may stay half typed.
    case entry
    /// The pause after a wrong PIN.
    case wrongPIN
    /// How long the view before a wait stays, so that a short one does not flicker.
    case wait
    /// How long the last character tapped on a number pad may change.
    case tap
    /// How long an access code may stay half typed, and the menu open.
    case typing
    /// How long until less time is told for a code that the server issued, and then until it is taken from the screen.
    case codeLife
    /// How long the scan screen stands unused until it dims, and then until it moves.
    case rest
    /// How long after the start the keys of a reset are heard.
    case boot
    /// How long an outcome is shown.
    case outcome
    /// How long a remark stands on the scan screen.
    case notice
    /// A code that is not seen for this long has left the view.
    case view(CodeDigest)
    /// How long a tried code is remembered.
    case usedCode(CodeDigest)
}
