// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A signing session that was scanned. The document itself stays with the service.
public struct SigningRequest: Sendable, Equatable {
    /// The service's description of the document; nil when it gives none.
    public let description: DocumentText?
    public let hash: DocumentHash
    /// Whether it was signed before.
    public let isSigned: Bool

    public init(description: DocumentText?, hash: DocumentHash, isSigned: Bool = false) {
        self.description = description
        self.hash = hash
        self.isSigned = isSigned
    }
}

/// Whether an identity can sign.
public enum SigningAbility: Sendable, Hashable {
    /// Its backend has no signing.
    case none
    /// It has to be registered for signing first, and gets a PIN of its own for that.
    case needsKey
    /// With its only PIN.
    case withPIN
    /// With a PIN for signing, of so many digits.
    case withOwnPIN(length: Int)
}

/// A document that the operator keeps ready to be signed.
public struct SigningTemplate: Sendable, Hashable {
    /// The name in the list.
    public let title: DisplayText
    public let text: DocumentText

    public init(title: DisplayText, text: DocumentText) {
        self.title = title
        self.text = text
    }
}

/// The part of a document that is signed: its SHA-256 digest.
public struct DocumentHash: Sendable, Hashable {
    /// 64 lower-case digits.
    public let hexadecimal: String

    /// - Returns: nil for a text of anything but 64 hexadecimal digits of either case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        hexadecimal = text.lowercased()
    }

    /// The end of it, which people compare: eight digits.
    public var tail: String {
        let digits = hexadecimal.suffix(8)
        return "… \(digits.prefix(4)) \(digits.suffix(4))"
    }
}
