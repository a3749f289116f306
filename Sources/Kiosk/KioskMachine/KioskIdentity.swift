// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues

/// One person's identity at the backend of the session.
public struct KioskIdentity: Hashable, Sendable {
    public enum Progress: String, Sendable, CaseIterable {
        /// Waits for the person to follow the link in the activation mail.
        case startedRegistration
        /// Verified by the server; the PIN is still to be chosen.
        case activated
        case registered
        case blocked
        /// Known but of no use, whatever the reason.
        case unusable
    }

    /// As the backend knows the person, usually an e-mail address.
    public let userID: String
    /// The backend's URL without scheme and trailing slash.
    public let backend: String
    /// The number that a person types to be found among several, from 1. It stays this identity's for good; nil before
    /// the device has stored it.
    public let number: Int?
    public var progress: Progress
    /// How many digits the PIN has; nil before it was chosen, or when that is not known.
    public var pinLength: Int?
    /// How many digits the server wants, no more and no less; nil where it does not care.
    public var requiredPINLength: Int?
    public var signing: SigningAbility
    /// How many wrong PINs people typed here whom nothing but a key named, since the last right one.
    public var tries: Int
    /// Whether it is blocked, and the server may take it again.
    public var isHeld: Bool

    public init(
        userID: String, backend: String, number: Int?, progress: Progress, pinLength: Int? = nil,
        requiredPINLength: Int? = nil, signing: SigningAbility = .none,
        tries: Int = 0, isHeld: Bool = false
    ) {
        self.userID = userID
        self.backend = backend
        self.number = number
        self.progress = progress
        self.pinLength = pinLength
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

    /// The name with only its first character and its domain: enough for its owner, little for a passer-by.
    var maskedName: String {
        let parts = userID.split(separator: "@", maxSplits: 1)
        let domain = parts.count == 2 ? "@\(parts[1])" : ""
        return DisplayText("\(userID.prefix(1))…\(domain)").description
    }
}

extension KioskIdentity {
    /// How many digits are enough to try. Not more than the shortest PIN when the length is not known.
    var minimumPINLength: Int { (requiredPINLength ?? pinLength).map(KioskIdentity.possible) ?? Pin.lengths.lowerBound }

    /// The sentence on the digits of a PIN. Of a length that is the person's own choice it says no more than it must.
    var pinHelp: Prompt {
        let minimum: [PromptPlaceholder: String] = [.minimum: "\(minimumPINLength)"]
        guard requiredPINLength == nil else { return Prompt(.pinHelpExact, minimum) }
        return minimumPINLength < pinCapacity ? Prompt(.pinHelp, minimum) : Prompt(.pinHelpAny)
    }

    /// How many digits a new PIN has at least; what the server wants goes before what the operator wants.
    func minimumNewPINLength(_ policy: KioskPolicy) -> Int {
        requiredPINLength.map(KioskIdentity.possible) ?? policy.minimumPINLength
    }

    /// How many digits are taken. As many as any PIN may have where only the person's own choice limits them: the
    /// screen must not tell how long that is.
    var pinCapacity: Int { requiredPINLength.map(KioskIdentity.possible) ?? Pin.lengths.upperBound }

    private static func possible(_ length: Int) -> Int {
        min(max(length, Pin.lengths.lowerBound), Pin.lengths.upperBound)
    }
}
