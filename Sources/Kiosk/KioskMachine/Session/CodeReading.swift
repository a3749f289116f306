// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues

/// A QR code in view, as far as the machine may know it.
public struct CodeReading: Sendable, Equatable {
    public enum Verdict: Sendable, Equatable {
        /// A login code of a trusted service at this host and port.
        case login(domain: String)
        case refused(CodeRefusal)
    }

    public let digest: CodeDigest
    public let verdict: Verdict
    /// The operator's card, where the code is one and so no login code.
    public let card: ErrandCard?
    /// The person whose personal card the code is; nil when it is not a personal card.
    public let personalCard: Result<CardHolder, PersonalCardRefusal>?
    /// The setup to agree to, where the code is one; nil when it is not.
    public let setup: Result<SetupOffer, SetupRefusal>?
    /// The e-mail address that is the text of the code.
    public let address: EmailAddress?
    /// The part of the code that may activate a registration.
    public let activation: ActivationReading?
    /// The text of the code, or why it cannot be signed; nil where no document is asked for, and for a login code,
    /// which is a secret.
    public let document: Result<DocumentText, DocumentTextError>?
    /// The secrets of the code, which stay the interpreter's.
    public let handle: Handle

    public init(
        digest: CodeDigest, verdict: Verdict, card: ErrandCard? = nil,
        personalCard: Result<CardHolder, PersonalCardRefusal>? = nil,
        setup: Result<SetupOffer, SetupRefusal>? = nil, address: EmailAddress? = nil,
        activation: ActivationReading? = nil, document: Result<DocumentText, DocumentTextError>? = nil,
        handle: Handle = .nothing
    ) {
        self.digest = digest
        self.verdict = verdict
        self.card = card
        self.personalCard = personalCard
        self.setup = setup
        self.address = address
        self.activation = activation
        self.document = document
        self.handle = handle
    }
}

/// The use of a QR code in view to a person who registers, as far as the machine may know it.
public enum ActivationReading: Sendable, Hashable {
    /// Its text may be a code that activates.
    case code
    /// It is the link of a verification's mail.
    ///
    /// - service: whose link it is, by its place in the list; nil for a service that is not in it.
    case link(userID: String, service: Int?)
}

/// Why a QR code begins nothing. Safe to count and to log.
public enum CodeRefusal: Error, Hashable, Sendable {
    case notALogin(LoginRequestError)
    /// The text was joined from several codes (structured append): a login code is one.
    case divided
    case untrusted(TrustPolicy.Refusal)
    /// A login was tried with this code in the last ten minutes.
    case alreadyUsed
    /// A card that asks for what the menu has not, or for a door or service that this kiosk does not know.
    case notOffered
    /// A card that asks for an errand and was not signed with this fleet's key.
    case foreignCard
    /// A person's card that is none for this kiosk.
    case personalCard(PersonalCardRefusal)
    /// A setup that changes nothing.
    case setup(SetupRefusal)
}

extension CodeRefusal {
    /// Whether a card that begins errands was held up: that is meant, where any other code may just be in the way.
    var isOfErrandCard: Bool { self == .notOffered || self == .foreignCard }
}

extension CodeRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notALogin(let error): "not a login code: \(error)"
        case .divided: "several codes in one"
        case .untrusted(let refusal): "untrusted: \(refusal.rawValue)"
        case .alreadyUsed: "already used"
        case .notOffered: "a card that is not for this kiosk"
        case .foreignCard: "a card that the fleet's key has not signed"
        case .personalCard(let refusal): "a personal card: \(refusal.rawValue)"
        case .setup(let refusal): "a setup: \(refusal.rawValue)"
        }
    }
}

/// Tells the texts of QR codes apart without keeping them.
///
/// A 64-bit SipHash under a key that each process draws anew (the standard library's `Hasher`): enough to recognise the
/// few codes that are remembered at a time, and worthless outside the process.
public struct CodeDigest: Hashable, Sendable {
    private let value: Int

    public init(_ payload: SecretBytes) {
        var hasher = Hasher()
        payload.withBytes { bytes in
            for index in bytes.indices { hasher.combine(bytes[index]) }
        }
        value = hasher.finalize()
    }
}

extension LoginRequest {
    /// The login filter: of all symbols that a decoder may read, only an undivided code of at most
    /// ``LoginRequest/maximumLength`` bytes that follows the grammar asks for a login.
    public init(_ symbol: Symbol) throws(CodeRefusal) {
        guard symbol.parts == 1 else { throw .divided }
        do {
            self = try symbol.payload.withBytes { bytes throws(LoginRequestError) in try LoginRequest(symbol: bytes) }
        } catch {
            throw .notALogin(error)
        }
    }
}
