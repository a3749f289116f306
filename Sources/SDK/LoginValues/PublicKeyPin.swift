// SPDX-License-Identifier: Apache-2.0

import Encoding

/// A key that a server may have: the SHA-256 digest of its certificate's SubjectPublicKeyInfo (RFC 7469, section 2.4),
/// written as `pin-sha256:` and 44 characters of base64. The spellings `sha256/` and `sha256//` of other programs are
/// accepted too.
public struct PublicKeyPin: Hashable, Sendable {
    /// The number of keys that a host may have on the trust list: those in use, and spare ones for a change.
    public static let maximumCount = 8

    private static let prefix = "pin-sha256:"
    private static let notations = [prefix, "sha256//", "sha256/"]
    private static let digestLength = 32
    /// Length of the digest in base64, with its padding.
    private static let base64Length = 44

    /// The 32 bytes of the digest.
    public let digest: [UInt8]

    /// - Returns: nil for anything but 32 bytes.
    public init?(digest: [UInt8]) {
        guard digest.count == PublicKeyPin.digestLength else { return nil }
        self.digest = digest
    }

    /// - Parameter text: the prefix in either case, the base64 with its padding.
    /// - Throws: the fault in it.
    public init(_ text: some StringProtocol) throws(PublicKeyPinError) {
        guard let notation = PublicKeyPin.notation(of: text) else { throw .notAPin }
        guard let bytes = Base64.bytes(text.dropFirst(notation.utf8.count)) else { throw .notBase64 }
        guard bytes.count == PublicKeyPin.digestLength else { throw .wrongLength(bytes.count) }
        digest = bytes
    }

    /// Whether a word of a trust line is meant as a pin, valid or not, and so is not a host.
    static func isMeant(by word: some StringProtocol) -> Bool { notation(of: word) != nil }

    private static func notation(of word: some StringProtocol) -> String? {
        let fitting = notations.filter { notation in
            // Compares bytes: equal characters can be made of different bytes.
            word.utf8.count >= notation.utf8.count
                && zip(word.utf8, notation.utf8).allSatisfy {
                    $0 == $1 || Host.isLowercaseLetter($1) && $0 == $1 - 0x20
                }
        }
        // One digest in 64 begins with a slash. The length decides whether the second slash belongs to the prefix.
        return fitting.first { word.utf8.count == $0.utf8.count + base64Length } ?? fitting.first
    }

    /// The digest alone, in base64 with padding.
    public var base64: String { Base64.text(digest) }
}

extension PublicKeyPin: CustomStringConvertible {
    public var description: String { PublicKeyPin.prefix + base64 }
}

/// The reason why a text is not a ``PublicKeyPin``.
public enum PublicKeyPinError: Error, Hashable, Sendable {
    /// The text begins with no known prefix.
    case notAPin
    /// The text behind the prefix is not base64 with padding.
    case notBase64
    /// The digest has not 32 bytes but this number.
    case wrongLength(Int)
}

extension PublicKeyPinError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAPin: "expected pin-sha256: and 44 characters of base64"
        case .notBase64: "a pin is pin-sha256: and 44 characters of base64, the last of which is ="
        case .wrongLength(let count): "a pin has 32 bytes, 44 characters of base64, and this one has \(count) bytes"
        }
    }
}
