// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues

/// A QR code in view, as far as the machine may know it.
public struct CodeReading: Sendable, Equatable {
    public enum Decision: Sendable, Equatable {
        /// A login code of a trusted service at this host and port.
        case login(domain: String)
        case refused(CodeRefusal)
    }

    public let digest: CodeDigest
    public var decision: Decision
    /// The printed card, if the code is one; it is then no login code.
    public var card: MenuCard?
    /// The owner of the personal card, or its refusal; nil when the code is not a personal card.
    public var personalCard: Result<CardHolder, PersonalCardRefusal>?
    /// The offered profile, or its refusal; nil when the code is not a profile.
    public var profile: Result<ProfileOffer, ProfileRefusal>?
    /// The e-mail address, if the text of the code is one.
    public var address: EmailAddress?
    /// The part of the code that may activate a registration.
    public var activation: ActivationReading?
    /// The text of the code as a document, or why it cannot be signed. Nil unless a document is asked for, and for a
    /// login code, which is a secret.
    public var document: Result<DocumentText, DocumentTextError>?
    /// The secrets of the code, for the interpreter only.
    public var handle: Handle

    public init(
        digest: CodeDigest, decision: Decision, card: MenuCard? = nil,
        personalCard: Result<CardHolder, PersonalCardRefusal>? = nil,
        profile: Result<ProfileOffer, ProfileRefusal>? = nil, address: EmailAddress? = nil,
        activation: ActivationReading? = nil, document: Result<DocumentText, DocumentTextError>? = nil,
        handle: Handle = .nothing
    ) {
        self.digest = digest
        self.decision = decision
        self.card = card
        self.personalCard = personalCard
        self.profile = profile
        self.address = address
        self.activation = activation
        self.document = document
        self.handle = handle
    }
}

/// The meaning of a QR code for a person who registers, as far as the machine may know it.
public enum ActivationReading: Sendable, Hashable {
    /// The text may be a code that activates.
    case code
    /// The link of a verification's mail.
    ///
    /// - service: the index of the link's service in the list; nil for a service that is not in it.
    case link(userID: String, service: Int?)
}

/// The reason why a QR code begins nothing. Safe to count and to log.
public enum CodeRefusal: Error, Hashable, Sendable {
    case notALogin(LoginRequestError)
    /// The text was joined from several codes (structured append), which a login code never is.
    case divided
    case untrusted(TrustPolicy.Refusal)
    /// A login was tried with this code in the last ten minutes.
    case alreadyUsed
    /// A card for a task that the menu lacks, or for an unknown door or service.
    case notOffered
    /// A card for a task, not signed with this fleet's key.
    case foreignCard
    /// A personal card that is not valid here.
    case personalCard(PersonalCardRefusal)
    /// A profile that changes nothing.
    case profile(ProfileRefusal)
}

extension CodeRefusal {
    /// Whether a printed card was held up. It is meant, while any other code may be in view by chance.
    var isOfMenuCard: Bool { self == .notOffered || self == .foreignCard }
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
        case .profile(let refusal): "a profile: \(refusal.rawValue)"
        }
    }
}

/// Distinguishes the texts of QR codes without keeping them.
///
/// A 64-bit SipHash under a new key of each process (the standard library's `Hasher`). It recognises the few
/// codes that are remembered at a time, and is worthless outside the process.
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
    /// Accepts only login codes among all symbols that a decoder may read: undivided, at most
    /// ``LoginRequest/maximumLength`` bytes, and of the right grammar.
    public init(_ symbol: Symbol) throws(CodeRefusal) {
        guard symbol.parts == 1 else { throw .divided }
        do {
            self = try symbol.payload.withBytes { bytes throws(LoginRequestError) in try LoginRequest(symbol: bytes) }
        } catch {
            throw .notALogin(error)
        }
    }
}
