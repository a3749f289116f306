// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// What a session is for.
///
/// All but ``login`` are begun from the menu or with a card of the operator's (``ErrandCard``), at a service of the trust list
/// or for a door, by the person who stands there: nothing of a browser was scanned, so none waits and nobody has to consent.
/// A scanned signing session is the exception. The raw values are stable names for records.
public enum Errand: String, Sendable, CaseIterable, Hashable {
    /// Logging a browser in; from the menu, with its access code typed by hand.
    case login
    /// A password for one use, to be typed in somewhere else.
    case oneTimePassword
    /// A code with which the same person enrols another device.
    case quickCode
    /// Logging in at the kiosk itself, which then opens a door.
    case localLogin
    /// Looking at an identity of this device, and deleting it.
    case identities
    /// Registering with a code that another device made.
    case enrolment
    /// Registering with an e-mail address, which a mail with a code or a link verifies.
    case verification
    /// Signing a document: one of the operator's, or the text of a QR code; or what a scanned signing session asks for.
    case signing

    /// What it is called in the menu and on its screens.
    public var title: PromptKey {
        switch self {
        case .login: .errandLogin
        case .oneTimePassword: .errandOneTimePassword
        case .quickCode: .errandQuickCode
        case .localLogin: .errandLocalLogin
        case .identities: .errandIdentities
        case .enrolment: .errandEnrolment
        case .verification: .errandVerification
        case .signing: .errandSigning
        }
    }

    /// What a PIN is asked for; nil for what people come for.
    var pinPurpose: PromptKey? {
        switch self {
        // Signing says so in its title, and a door is named there.
        case .login, .localLogin, .signing: nil
        case .oneTimePassword, .quickCode, .enrolment, .verification: title
        case .identities: .deletePurpose
        }
    }

    /// Whether it is done at a service of the trust list, and so is of no use to a kiosk that knows none by name.
    var needsService: Bool {
        switch self {
        case .login, .oneTimePassword, .quickCode, .identities, .enrolment, .verification, .signing: true
        case .localLogin: false
        }
    }
}
