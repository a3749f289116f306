// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A scanned signing session. The service has the document itself.
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
    /// The backend has no signing.
    case none
    /// The identity needs a key for signing first, with a PIN of its own.
    case needsKey
    /// It signs with its only PIN.
    case withPIN
    /// It signs with a separate PIN, whose length only the person chose.
    case withOwnPIN
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

/// The SHA-256 digest of a document, which is signed.
public struct DocumentHash: Sendable, Hashable {
    /// 64 lower-case digits.
    public let hexadecimal: String

    /// - Returns: nil for a text of anything but 64 hexadecimal digits of either case.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        hexadecimal = text.lowercased()
    }

    /// The last eight digits, which people compare.
    public var tail: String {
        let digits = hexadecimal.suffix(8)
        return "… \(digits.prefix(4)) \(digits.suffix(4))"
    }
}
