// SPDX-License-Identifier: Apache-2.0

/// A timer by its purpose; starting one that runs replaces it.
public enum KioskTimer: Hashable, Sendable {
    /// The limit of a session.
    case session
    /// The limit of a half-typed PIN.
    case entry
    /// The pause after a wrong PIN.
    case wrongPIN
    /// The time that the view before a wait stays, so that a short one does not flicker.
    case wait
    /// The time in which the last character tapped on a number pad may change.
    case tap
    /// The limit of a half-typed access code, and of the open menu.
    case typing
    /// The time until the screen shows less time left for an issued code, and then until it removes the code.
    case codeLife
    /// The time until the unused scan screen dims, and then until it moves.
    case rest
    /// The time after the start in which the reset keys work.
    case boot
    /// The time that an outcome is shown.
    case outcome
    /// The time that a remark is shown on the scan screen.
    case notice
    /// The time without a sighting after which a code has left the view.
    case view(CodeDigest)
    /// The time for which a tried code is remembered.
    case usedCode(CodeDigest)
}
