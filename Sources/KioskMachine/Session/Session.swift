// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// What the machine knows of the session under way.
struct Session: Sendable {
    let number: SessionNumber
    var purpose: Errand
    /// What was scanned or typed; nil for an errand from the menu or a card.
    let code: CodeDigest?
    /// Host and port of the service that the code is from, or that the person chose.
    let domain: String
    /// Host and port of the backend, where a PIN takes effect; nil for those of the service, and before they are
    /// known.
    var backend: String?
    /// What the service calls itself; empty where it says nothing about itself, as the projects of the platform do.
    var service: DisplayText?
    var details: BackendSession?
    /// Whether the server may know that the code was scanned.
    var serverWasTold = false
    /// Whether the person typed the code.
    var isTyped = false
    /// Whether the person typed a number or letters to be found among several.
    var isPicked = false
    var wrongPINs = 0
    /// What a login at the kiosk itself opens.
    var door: DisplayText?
    /// For whom a link was scanned that began the errand.
    var linkedUser: String?
    /// Whose personal card it was begun with: no other person is looked for.
    var holder: CardHolder?
    /// Whether the PIN is asked for a personal card.
    var wantsCard = false
    /// What is signed, once that is known.
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

    /// When the browser named the user there is no other person to be.
    var offersSomeoneElse: Bool { holder == nil && details?.namedUser.isEmpty == true && identities.count == 1 }

    /// Whom the browser wants to be logged in, where the personal card is another person's.
    var namedInPlaceOfHolder: String? {
        guard let holder, let named = details?.namedUser, !named.isEmpty, !holder.userID.isSameUserID(as: named)
        else { return nil }
        return named
    }

    func hasRegistered(_ userID: String) -> Bool {
        identities.contains { $0.userID.isSameUserID(as: userID) && $0.progress == .registered }
    }

    mutating func forget(_ identity: KioskIdentity) {
        guard let details else { return }
        self.details = BackendSession(
            application: details.application, customer: details.customer, namedUser: details.namedUser,
            signing: details.signing, identities: details.identities.filter { !$0.isSamePerson(as: identity) })
    }

    // What sentences say of it.

    /// What a sentence calls the service; nil when nothing is known about it yet.
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

    /// A person who was picked is shown only enough to recognise himself: numbers and letters must not be a directory.
    func name(of identity: KioskIdentity) -> String { isPicked ? identity.maskedName : identity.name }

    func whoAndWhere(_ identity: KioskIdentity) -> [Prompt] {
        [Prompt(.pinUser, [.user: name(of: identity)])] + place
    }

    /// What one more wrong PIN may cost. The server counts and does not say how far; three in a row is what the
    /// protocol's servers allow unless their operator changed it. The kiosk knows only of this session, so it says no
    /// more than "may".
    var wrongPINWarning: Prompt? {
        switch wrongPINs {
        case 0: nil
        case 1: Prompt(.wrongPINBlocks)
        default: Prompt(.wrongPINLast)
        }
    }
}
