// SPDX-License-Identifier: Apache-2.0

/// A timer by its purpose; starting one that runs replaces it.
public enum KioskTimer: Hashable, Sendable {
    /// How long a session may take.
    case session
    /// How long a PIN may stay half typed.
    case entry
    /// The pause after a wrong PIN.
    case wrongPIN
    /// How long an outcome is shown.
    case outcome
    /// How long a remark stands on the scan screen.
    case notice
    /// A code that is not seen for this long has left the view.
    case view(CodeDigest)
    /// How long a tried code is remembered.
    case usedCode(CodeDigest)
}
