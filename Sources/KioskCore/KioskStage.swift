// SPDX-License-Identifier: Apache-2.0

/// Where in the flow a view stands.
public enum KioskStage: String, Sendable, CaseIterable {
    case firstRun, scan, menu, serviceChoice, codeEntry, connecting, consent, identityChoice, identityEntry,
        activationEntry, registering, emailConfirmation, newPIN, newPINAgain, pin, authenticating, wrongPIN, issuedCode,
        identityDetails, outcome, loggingOut, stopped
    // Signing.
    case documentChoice, document, signQuestion, signing

    /// Whether the person is being asked for PIN digits.
    public var asksForPIN: Bool { self == .newPIN || self == .newPINAgain || self == .pin }
}
