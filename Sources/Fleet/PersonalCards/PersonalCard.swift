// SPDX-License-Identifier: Apache-2.0

public import Encoding
public import MPinClient
import Sealing

/// A person's identity as the text of a QR code, for any kiosk of the fleet, sealed with the fleet key.
///
/// Without the key a card reveals nothing: neither the token nor the person nor the backend. `docs/cards.md` has the
/// format.
public struct PersonalCard: Sendable, Equatable {
    /// Without a number, which belongs to a kiosk's own store.
    public let identity: StoredIdentity
    public let period: CardPeriod

    public init(_ identity: StoredIdentity, _ period: CardPeriod) {
        self.identity = StoredIdentity(key: identity.key, record: identity.record)
        self.period = period
    }
}

/// The reason why a personal card is not valid at this kiosk.
public enum PersonalCardError: String, Error, Sendable, CaseIterable {
    /// A later version of this program wrote it, in an unknown form.
    case newerVersion
    /// It was sealed with another fleet's key.
    case otherFleet
    /// It is cut off, or not as it was sealed.
    case damaged
    /// It has expired, or has no times because an early version made it.
    case expired
    /// It is not valid yet: a clock is wrong.
    case notYet
}

// The text, in the alphanumeric characters of a QR code only:
//
//     LOGIN-KIOSK-CARD:2:BODY
//
// BODY is Base45 (RFC 9285) of
//
//     name of the fleet's key (4) | nonce (12) | ciphertext | tag (16)
//
// AES-256-GCM, with everything before the nonce (`LOGIN-KIOSK-CARD:2:`, then the name's bytes) as associated data,
// over
//
//     issued (4, big endian seconds since 1970) | ends (4) | ``StoredIdentity/inOnePiece()``
//
// Version 1 had no times.
extension PersonalCard {
    /// The longest text, in bytes: that of a QR code of version 25 at level L (ISO/IEC 18004, table 7). Cameras hardly
    /// read a larger one.
    public static let maximumLength = 1853

    static let code = CodeText(scheme: "LOGIN-KIOSK-CARD", version: 2, maximumLength: maximumLength)

    /// The card as the text of a QR code, different each time.
    ///
    /// - Returns: nil when it would be longer than ``maximumLength``, or when OpenSSL failed.
    public func text(sealedWith key: FleetKey) -> SecretBytes? {
        guard let piece = identity.inOnePiece(),
            let sealed = key.cards.seal(
                SecretBytes(joining: period.bytes + [piece]), context: PersonalCard.code.opening + key.name)
        else { return nil }
        return PersonalCard.code.text(of: key.name + sealed).map { SecretBytes(copying: $0) }
    }

    /// Whether a QR code is a personal card, of any fleet and version, whole or not.
    public static func isCard(_ symbol: Span<UInt8>) -> Bool { code.begins(symbol) }

    /// Reads a personal card, whether or not it is valid now.
    init(symbol: Span<UInt8>, openedWith key: FleetKey) throws(PersonalCardError) {
        let bytes: [UInt8]
        do throws(CodeText.Problem) { bytes = try PersonalCard.code.body(of: symbol) } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .olderVersion: throw .expired
            case .damaged: throw .damaged
            }
        }
        guard bytes.count >= FleetKey.nameLength else { throw .damaged }
        guard bytes.starts(with: key.name) else { throw .otherFleet }
        let sealed = bytes.dropFirst(FleetKey.nameLength)
        guard let plain = key.cards.open(sealed, context: PersonalCard.code.opening + key.name) else { throw .damaged }
        var reader = SecretReader(plain)
        guard let period = CardPeriod(from: &reader),
            let identity = reader.rest().flatMap({ StoredIdentity(inOnePiece: $0) })
        else { throw .damaged }
        (self.identity, self.period) = (identity, period)
    }
}

extension StoredIdentity {
    /// Key and record in the form in which they are sealed together: `length (2, big endian) | user ID | length (2) |
    /// backend | record`.
    ///
    /// - Returns: nil for a key that is too long.
    public func inOnePiece() -> SecretBytes? {
        let texts = [key.userID, key.backend].map { SecretBytes(copying: $0.utf8) }
        guard texts.allSatisfy({ $0.count <= UInt16.max }) else { return nil }
        return SecretBytes(joining: texts.flatMap { $0.withLength(in: 2) } + [record])
    }

    /// Reads the form of ``inOnePiece()``.
    ///
    /// - Returns: nil for other bytes.
    public init?(inOnePiece plain: SecretBytes) {
        var reader = SecretReader(plain)
        guard let userID = reader.part(2)?.text, let backend = reader.part(2)?.text, let record = reader.rest()
        else { return nil }
        self.init(key: IdentityKey(userID: userID, backend: backend), record: record)
    }
}
