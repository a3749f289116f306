// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The purpose of a session. This is the list of them; each is defined in its folder.
///
/// All but ``login`` are begun from the menu or with a card of the operator's (``ErrandCard``), at a service of the
/// trust list or for a door, by the person who stands there: nothing of a browser was scanned, so none waits, and there
/// is nothing to consent to. A scanned signing session is the exception. The raw values are stable names for records.
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
    /// Choosing another PIN for an identity of this device.
    case changePIN

    var rules: any ErrandRules {
        switch self {
        case .login: Login()
        case .oneTimePassword: CodeErrand.oneTimePassword
        case .quickCode: CodeErrand.quickCode
        case .localLogin: DoorErrand()
        case .identities: IdentitiesErrand()
        case .enrolment: Enrolment()
        case .verification: Verification()
        case .signing: SigningErrand()
        case .changePIN: ChangePIN()
        }
    }

    /// The name in settings (`menu.NAME`), on cards and in commands.
    public var name: String { rules.name }

    /// The title in the menu and on its screens.
    public var title: PromptKey { rules.title }

    public var menuEntry: MenuEntry { rules.menuEntry }

    /// Whether a door is chosen for it, instead of a service.
    public var isDoneAtDoors: Bool { rules.isDoneAtDoors }

    /// - Returns: nil for a name that no errand has.
    public init?(named name: some StringProtocol) {
        guard let errand = Errand.allCases.first(where: { $0.name == name }) else { return nil }
        self = errand
    }
}
