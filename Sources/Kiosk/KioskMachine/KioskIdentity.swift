// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// One person's identity at the backend of the session.
public struct KioskIdentity: Hashable, Sendable {
    public enum Progress: String, Sendable, CaseIterable {
        /// Waits until the person follows the link in the activation mail.
        case startedRegistration
        /// Verified by the server, but without a PIN yet.
        case activated
        case registered
        case blocked
        /// Known but unusable, for any reason.
        case unusable
    }

    /// The name at the backend, usually an e-mail address.
    public let userID: String
    /// The backend's URL without scheme and trailing slash.
    public let backend: String
    /// The number, from 1, that a person types to choose among several identities. It never changes; nil before the
    /// device has stored the identity.
    public let number: Int?
    public var progress: Progress
    /// The exact number of digits that the server wants; nil for any.
    public var requiredPINLength: Int?
    public var signing: SigningAbility
    /// The number of wrong PINs that unverified people typed here since the last right one.
    public var tries: Int
    /// Whether it is blocked but kept, so that the server may accept it again.
    public var isHeld: Bool

    public init(
        userID: String, backend: String, number: Int?, progress: Progress, requiredPINLength: Int? = nil,
        signing: SigningAbility = .none, tries: Int = 0, isHeld: Bool = false
    ) {
        self.userID = userID
        self.backend = backend
        self.number = number
        self.progress = progress
        self.requiredPINLength = requiredPINLength
        self.signing = signing
        self.tries = tries
        self.isHeld = isHeld
    }

    func isSamePerson(as other: KioskIdentity) -> Bool {
        userID.utf8.elementsEqual(other.userID.utf8) && backend == other.backend
    }

    var numberText: String { number.map { "\($0)" } ?? "–" }

    var name: String { DisplayText(userID).description }

    /// The first character of the name, and its domain: enough for its owner, little for a passer-by.
    static func maskedName(of userID: String) -> String {
        let parts = userID.split(separator: "@", maxSplits: 1)
        let domain = parts.count == 2 ? "@\(parts[1])" : ""
        return DisplayText("\(userID.prefix(1))…\(domain)").description
    }
}

extension KioskIdentity {
    /// The number of digits that suffices for an attempt. If only the person chose the length it is that of the
    /// shortest PIN: a stranger must not learn it by pressing OK.
    var minimumPINLength: Int { requiredPINLength.map(KioskIdentity.possible) ?? Pin.lengths.lowerBound }

    /// The sentence on the digits of a PIN. It reveals no length that only the person chose.
    var pinHelp: Prompt {
        requiredPINLength == nil ? Prompt(.pinHelpAny) : Prompt(.pinHelpExact, [.minimum: "\(minimumPINLength)"])
    }

    /// The least number of digits of a new PIN. The server's wish overrides the operator's.
    func minimumNewPINLength(_ policy: KioskPolicy) -> Int {
        requiredPINLength.map(KioskIdentity.possible) ?? policy.minimumPINLength
    }

    /// The number of digits that the entry accepts. If only the person chose the length it is that of the longest PIN,
    /// because the screen must not reveal it.
    var pinCapacity: Int { requiredPINLength.map(KioskIdentity.possible) ?? Pin.lengths.upperBound }

    private static func possible(_ length: Int) -> Int {
        min(max(length, Pin.lengths.lowerBound), Pin.lengths.upperBound)
    }
}
