// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The result of a step, as far as the machine may know it.
public enum StepAnswer: Equatable, Sendable {
    /// - Parameters:
    ///   - name: the service's name for itself.
    ///   - backend: host and port at which a PIN takes effect; nil for those of the code.
    case serviceFound(DisplayText, backend: String? = nil)
    case backendOpened(BackendSession)

    /// - Parameter identity: its state now.
    case registrationStarted(KioskIdentity)
    /// The shares are in memory. The server gives them out only once.
    case registrationConfirmed
    /// The identity has its number.
    case registrationFinished(KioskIdentity)
    /// The mail was sent.
    case verificationStarted(MailContent)
    /// The registration's token has replaced the code.
    case verified

    /// Permits are there; the PIN can be asked for.
    case authenticationStarted
    /// The browser is logged in.
    ///
    /// - Parameters:
    ///   - canLogout: whether its session can be ended from here.
    ///   - wrongPINs: those since the previous login; nil when there were none, or the server does not say.
    case authenticated(canLogout: Bool = false, wrongPINs: EarlierWrongPINs? = nil)
    /// Digits are there for the person to read.
    ///
    /// - Parameters:
    ///   - lifetime: the time from now for which the server accepts them.
    ///   - expires: its end by the server's clock, in seconds since 1970-01-01 UTC.
    case codeIssued(lifetime: Duration, expires: Int64? = nil)
    /// The PIN was right, and the task is done.
    case taskDone
    case identityDeleted
    case loggedOut
    /// The card can be shown.
    ///
    /// - Parameter ends: the end of its validity, as people read it.
    case cardWritten(ends: String = "")

    /// The identity with its ability to sign.
    case signerRead(KioskIdentity)
    /// The shares of the key are in memory.
    case signingKeyStarted
    case signingKeyFinished(KioskIdentity)
    /// The service's hash is the document's.
    case documentPrepared(DocumentHash)
    /// The service accepted the signature.
    case signed
}

/// The ways in which a mail lets a person confirm an address.
public enum MailContent: Sendable, CaseIterable {
    case code, link
    /// The mail has both, or it is not known which.
    case codeOrLink
}
