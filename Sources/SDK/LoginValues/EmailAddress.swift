// SPDX-License-Identifier: Apache-2.0

/// An e-mail address as a person types it at a kiosk: trimmed, lower-cased, and checked for its form.
///
/// The form is the practical subset of RFC 5321: one `@`, an unquoted local part of ASCII atoms, a domain of at least
/// two labels. Only the activation mail can tell whether the mailbox exists.
public struct EmailAddress: Hashable, Sendable {
    /// The longest address, in bytes (RFC 5321, section 4.5.3.1.3).
    public static let maximumLength = 254

    /// The address in lower case, without blanks around it.
    public let text: String

    /// - Returns: nil when `typed` does not have the form of an address.
    public init?(_ typed: some StringProtocol) {
        let trimmed = typed.drop(while: \.isWhitespace)
        let address = String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
        // Some letters outside ASCII have an ASCII letter as their lower case: the Kelvin sign becomes k.
        guard address.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = address.lowercased()
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= EmailAddress.maximumLength, parts.count == 2 else { return nil }
        let (local, domain) = (parts[0], parts[1])
        let atoms = local.split(separator: ".", omittingEmptySubsequences: false)
        guard local.utf8.count <= 64,
            atoms.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(EmailAddress.isAtomCharacter) }),
            Host.isDomainName(domain), domain.contains(".")
        else { return nil }
        self.text = text
    }

    /// RFC 5322 `atext`, lower case.
    private static func isAtomCharacter(_ byte: UInt8) -> Bool {
        Host.isDigit(byte) || Host.isLowercaseLetter(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
}

extension EmailAddress: CustomStringConvertible {
    public var description: String { text }
}
