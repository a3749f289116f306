// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The machine's knowledge of the session under way.
struct Session: Sendable {
    let number: SessionNumber
    var purpose: KioskTask
    /// The code that was scanned or typed; nil for a task from the menu or a card.
    let code: CodeDigest?
    /// Host and port of the code's service, or of the service that the person chose.
    let domain: String
    /// Host and port of the backend, at which a PIN takes effect; nil for those of the service, and before they are
    /// known.
    var backend: String?
    /// The service's name for itself. Empty when the service does not describe itself, such as a project of the
    /// platform.
    var service: DisplayText?
    var details: BackendSession?
    /// Whether the server may know that the code was scanned.
    var serverWasTold = false
    /// Whether the person typed the code.
    var isTyped = false
    /// Whether the person chose among several identities by a number or letters.
    var isChosen = false
    /// The address that the person typed, or that a scanned link named.
    var typedUser: String?
    /// The code or link in the mail that verifies the address.
    var mail = MailContent.codeOrLink
    /// The identity that was registered in this session.
    var registered: KioskIdentity?
    /// The identity that is registered again. It stays as it is until that is finished.
    var renewed: KioskIdentity?
    /// Whether the server accepted the person's PIN.
    var isProved = false
    var wrongPINs = 0
    /// The door that a login at the kiosk itself opens.
    var door: DisplayText?
    /// The person with whose card the session began; nobody else is looked for.
    var holder: CardHolder?
    /// Whether the PIN is asked for to make a personal card.
    var wantsCard = false
    /// The document to be signed, once it is known.
    var signing: Signing?

    init(number: SessionNumber, purpose: KioskTask, code: CodeDigest?, domain: String, isTyped: Bool) {
        self.number = number
        self.purpose = purpose
        self.code = code
        self.domain = domain
        self.isTyped = isTyped
    }

    var rules: any TaskRules { purpose.rules }

    // The person.

    var identities: [KioskIdentity] { details?.identities ?? [] }

    /// The identity that the browser named, if it is known here.
    var namedIdentity: KioskIdentity? {
        let named = details?.namedUser ?? ""
        return identities.first { $0.userID.isSameUserID(as: named) }
    }

    /// The identity that needs no choice: the only one, or the only one with a finished registration. A stranger may
    /// begin a registration and leave.
    var loneIdentity: KioskIdentity? {
        if identities.count == 1 { return identities[0] }
        let finished = identities.filter { $0.progress != .startedRegistration && $0.progress != .activated }
        return finished.count == 1 ? finished[0] : nil
    }

    /// If the browser named the user, nobody else can be meant.
    var offersSomeoneElse: Bool { holder == nil && details?.namedUser.isEmpty == true && loneIdentity != nil }

    /// The user that the browser named, if the personal card is another person's.
    var namedInPlaceOfHolder: String? {
        guard let holder, let named = details?.namedUser, !named.isEmpty, !holder.userID.isSameUserID(as: named)
        else { return nil }
        return named
    }

    /// Whether an application that proved itself to the backend names the person. Any stranger can open a page that
    /// names somebody.
    func isNamedByApplication(_ userID: String) -> Bool {
        details.map { $0.isUserVerified && $0.namedUser.isSameUserID(as: userID) } ?? false
    }

    /// Whether the person is unverified: named by a key or by any page, not by a proved application, a personal card,
    /// or a registration in this session. This includes a kiosk's only identity.
    func isUnverified(_ userID: String) -> Bool {
        holder == nil && !isNamedByApplication(userID) && registered?.userID.isSameUserID(as: userID) != true
    }

    func hasRegistered(_ userID: String) -> Bool {
        identities.contains { $0.userID.isSameUserID(as: userID) && $0.progress == .registered }
    }

    /// Notes that the person is registered again. The blocked identity stays until that is finished.
    mutating func renewBlocked(_ userID: String) {
        renewed = identities.first { $0.userID.isSameUserID(as: userID) && $0.isHeld }
    }

    /// Whether a mail verifies the address of a new person: the person came for that, or the backend has no other way.
    var verifiesAddress: Bool {
        purpose == .verification || purpose != .registerWithCode && details?.verifiesAddresses == true
    }

    /// Whether the registration takes a registration code, or the code of a mail.
    var registersWithCode: Bool { purpose == .registerWithCode || verifiesAddress }

    mutating func forget(_ identity: KioskIdentity) {
        details?.identities.removeAll { $0.isSamePerson(as: identity) }
    }

    // Words about the session.

    /// The service's name in a sentence; nil when nothing is known about it yet.
    var serviceName: String? { service.map { $0.isEmpty ? domain : $0.description } }

    /// The lines that name the host at which a PIN takes effect, and the service that asks for it if that is another
    /// host. Only the service chooses its own name.
    var serviceLines: [Prompt] {
        let name = service ?? DisplayText("")
        let backend = backend ?? domain
        return (name.isEmpty ? [] : [Prompt(.consentService, [.service: name.description])])
            + [Prompt(.consentDomain, [.domain: backend])]
            + (backend == domain ? [] : [Prompt(.consentOnBehalf, [.domain: domain])])
    }

    /// The identity's name. Until the PIN is right, an unverified person sees only enough of it to recognise their own
    /// name: numbers, letters and the menu must not become a directory.
    func name(of identity: KioskIdentity) -> String {
        name(of: identity.userID)
    }

    func name(of userID: String) -> String {
        let isKnown = isProved || !isUnverified(userID) || typedUser?.isSameUserID(as: userID) == true
        return isKnown ? DisplayText(userID).description : KioskIdentity.maskedName(of: userID)
    }

    func whoAndWhere(_ identity: KioskIdentity) -> [Prompt] {
        [Prompt(.pinUser, [.user: name(of: identity)])] + serviceLines
    }

    /// A warning of the consequence of another wrong PIN. The server does not report its count. The protocol's servers
    /// allow three wrong PINs in a row unless their operator changed that. The kiosk knows only this session, so the
    /// warning says no more than "may".
    func wrongPINWarning(_ identity: KioskIdentity) -> Prompt? {
        if isUnverified(identity.userID) {
            return identity.tries + wrongPINs == 0 ? nil : Prompt(.triesLast)
        }
        return switch wrongPINs {
        case 0: nil
        case 1: Prompt(.wrongPINBlocks)
        default: Prompt(.wrongPINLast)
        }
    }
}
