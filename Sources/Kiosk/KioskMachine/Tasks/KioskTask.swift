// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// The purpose of a session. Each is defined in a folder of its own.
///
/// All but ``login`` begin from the menu or with a printed card (``MenuCard``), at a service of the trust list or a
/// door, and act for the person at the kiosk. No code of a browser was scanned, so no browser waits, and there is
/// nothing to consent to. A scanned signing session is the exception. The raw values are stable names for records.
public enum KioskTask: String, Sendable, CaseIterable, Hashable {
    /// Logging in a browser; from the menu, with an access code typed by hand.
    case login
    /// A one-time password, to be typed elsewhere.
    case oneTimePassword
    /// A registration code, with which another device of the same person registers.
    case registrationCode
    /// Logging in at the kiosk itself, which then opens a door.
    case localLogin
    /// Viewing an identity of this device, and deleting it.
    case identities
    /// Registering with a registration code, which another device made.
    case registerWithCode
    /// Registering with an e-mail address, verified by a mail with a code or a link.
    case verification
    /// Signing a document: one of the operator's, the text of a QR code, or the document of a scanned signing session.
    case signing
    /// Choosing another PIN for an identity of this device.
    case changePIN

    var rules: any TaskRules {
        switch self {
        case .login: Login()
        case .oneTimePassword: CodeTask.oneTimePassword
        case .registrationCode: CodeTask.registrationCode
        case .localLogin: DoorTask()
        case .identities: IdentitiesTask()
        case .registerWithCode: RegistrationWithCode()
        case .verification: Verification()
        case .signing: SigningTask()
        case .changePIN: ChangePIN()
        }
    }

    /// The name in settings (`menu.NAME`), on cards and in commands.
    public var name: String { rules.name }

    /// The title in the menu and on its screens.
    public var title: PromptKey { rules.title }

    public var menuEntry: MenuEntry { rules.menuEntry }

    /// Whether the person chooses a door for it, instead of a service.
    public var isDoneAtDoors: Bool { rules.isDoneAtDoors }

    /// - Returns: nil for a name that no task has.
    public init?(named name: some StringProtocol) {
        guard let task = KioskTask.allCases.first(where: { $0.name == name }) else { return nil }
        self = task
    }
}
