// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// The machine's knowledge of the session under way.
struct Session: Sendable {
    let number: SessionNumber
    var purpose: Errand
    /// The code that was scanned or typed; nil for an errand from the menu or a card.
    let code: CodeDigest?
    /// Host and port of the service that the code is from, or that the person chose.
    let domain: String
    /// Host and port of the backend, where a PIN takes effect; nil for those of the service, and before they are
    /// known.
    var backend: String?
    /// The name that the service gives itself. It is empty where the service says nothing about itself, as the projects
    /// of the platform do.
    var service: DisplayText?
    var details: BackendSession?
    /// Whether the server may know that the code was scanned.
    var serverWasTold = false
    /// Whether the person typed the code.
    var isTyped = false
    /// Whether the person typed a number or letters to be found among several.
    var isChosen = false
    /// The address that the person typed, or whose link was scanned.
    var typedUser: String?
    /// The identity that was registered in this session.
    var registered: KioskIdentity?
    /// The identity that is registered anew. It stays as it is until that is finished.
    var renewed: KioskIdentity?
    /// Whether the server took the person's PIN.
    var isProved = false
    var wrongPINs = 0
    /// The door that a login at the kiosk itself opens.
    var door: DisplayText?
    /// The person whose card the session was begun with: no other person is looked for.
    var holder: CardHolder?
    /// Whether the PIN is asked for a personal card.
    var wantsCard = false
    /// The document to be signed, once it is known.
    var signing: Signing?

    init(number: SessionNumber, purpose: Errand, code: CodeDigest?, domain: String, isTyped: Bool) {
        self.number = number
        self.purpose = purpose
        self.code = code
        self.domain = domain
        self.isTyped = isTyped
    }

    var rules: any ErrandRules { purpose.rules }

    // Who.

    var identities: [KioskIdentity] { details?.identities ?? [] }

    /// The identity that the browser named, if it is known here.
    var namedIdentity: KioskIdentity? {
        let named = details?.namedUser ?? ""
        return identities.first { $0.userID.isSameUserID(as: named) }
    }

    /// The identity that nobody has to pick: the only one, or the only one whose registration is finished. A stranger may
    /// begin one and leave.
    var loneIdentity: KioskIdentity? {
        if identities.count == 1 { return identities[0] }
        let finished = identities.filter { $0.progress != .startedRegistration && $0.progress != .activated }
        return finished.count == 1 ? finished[0] : nil
    }

    /// When the browser named the user there is no other person to be.
    var offersSomeoneElse: Bool { holder == nil && details?.namedUser.isEmpty == true && loneIdentity != nil }

    /// Whom the browser wants to be logged in, where the personal card is another person's.
    var namedInPlaceOfHolder: String? {
        guard let holder, let named = details?.namedUser, !named.isEmpty, !holder.userID.isSameUserID(as: named)
        else { return nil }
        return named
    }

    /// Whether nothing but a key says who it is: neither the login page nor a personal card does, and the person was not
    /// registered in this session. A lone identity of the kiosk is picked, too.
    func isPicked(_ userID: String) -> Bool {
        holder == nil && details?.namedUser.isSameUserID(as: userID) != true
            && registered?.userID.isSameUserID(as: userID) != true
    }

    func hasRegistered(_ userID: String) -> Bool {
        identities.contains { $0.userID.isSameUserID(as: userID) && $0.progress == .registered }
    }

    /// The person is registered anew: what is blocked stays until that is finished.
    mutating func renewBlocked(_ userID: String) {
        renewed = identities.first { $0.userID.isSameUserID(as: userID) && $0.isHeld }
    }

    /// Whether a mail verifies the address of a person who registers: the person came for that, or the backend knows
    /// no other way.
    var verifiesAddress: Bool {
        purpose == .verification || purpose != .enrolment && details?.verifiesAddresses == true
    }

    /// Whether the registration takes a code: of another device, or of a mail.
    var registersWithCode: Bool { purpose == .enrolment || verifiesAddress }

    mutating func forget(_ identity: KioskIdentity) {
        details?.identities.removeAll { $0.isSamePerson(as: identity) }
    }

    // What sentences say of it.

    /// The service's name in a sentence; nil when nothing is known about it yet.
    var serviceName: String? { service.map { $0.isEmpty ? domain : $0.description } }

    /// The place where a PIN takes effect, and before whom it is asked for where that is another one. Only the latter
    /// can give itself a name.
    var place: [Prompt] {
        let name = service ?? DisplayText("")
        let backend = backend ?? domain
        return (name.isEmpty ? [] : [Prompt(.consentService, [.service: name.description])])
            + [Prompt(.consentDomain, [.domain: backend])]
            + (backend == domain ? [] : [Prompt(.consentOnBehalf, [.domain: domain])])
    }

    /// A person who was picked is shown only enough to recognise himself until the PIN was right: numbers and letters,
    /// and a menu, must not be a directory.
    func name(of identity: KioskIdentity) -> String {
        let isKnown =
            isProved || !isPicked(identity.userID) || typedUser?.isSameUserID(as: identity.userID) == true
        return isKnown ? identity.name : identity.maskedName
    }

    func whoAndWhere(_ identity: KioskIdentity) -> [Prompt] {
        [Prompt(.pinUser, [.user: name(of: identity)])] + place
    }

    /// Returns a warning of the cost of one more wrong PIN. The server counts and does not say how far; three in a row
    /// is what the protocol's servers allow unless their operator changed it. The kiosk knows only of this session, so it
    /// says no more than "may".
    func wrongPINWarning(_ identity: KioskIdentity) -> Prompt? {
        if isPicked(identity.userID) {
            return identity.tries + wrongPINs == 0 ? nil : Prompt(.triesLast)
        }
        return switch wrongPINs {
        case 0: nil
        case 1: Prompt(.wrongPINBlocks)
        default: Prompt(.wrongPINLast)
        }
    }
}
