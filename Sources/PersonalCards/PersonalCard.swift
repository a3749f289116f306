// SPDX-License-Identifier: Apache-2.0

public import LoginValues
public import MPinClient
import Sealing

/// A person's identity as the text of a QR code, for any kiosk of the fleet, sealed with the fleet's key.
///
/// Who has the card and not the key learns nothing from it: neither the token nor whose it is, or where.
/// `docs/cards.md` has the format.
public struct PersonalCard: Sendable, Equatable {
    /// Without a number, which a kiosk's own store gives.
    public let identity: StoredIdentity

    public init(_ identity: StoredIdentity) {
        self.identity = StoredIdentity(key: identity.key, record: identity.record)
    }
}

/// Why the text of a QR code that is a personal card is none for this kiosk.
public enum PersonalCardError: String, Error, Sendable, CaseIterable {
    /// A later version of this program wrote it, in a form that this one does not know.
    case newerVersion
    /// It was sealed with another fleet's key.
    case otherFleet
    /// It is cut off, or is not what was sealed.
    case damaged
}

// The text, all of it in the alphanumeric characters of a QR code:
//
//     LOGIN-KIOSK-CARD:1:BODY
//
// BODY is Base45 (RFC 9285) of
//
//     name of the fleet's key (4) | nonce (12) | ciphertext | tag (16)
//
// AES-256-GCM, with everything before the nonce (`LOGIN-KIOSK-CARD:1:`, then the name's bytes) as associated data, over
//
//     length (2, big endian) | user ID | length (2) | backend | record of the SDK
extension PersonalCard {
    /// The longest text, in bytes: what a QR code of version 25 holds at level L (ISO/IEC 18004, table 7). A larger one
    /// is hard to read for a camera.
    public static let maximumLength = 1853

    static let scheme = "LOGIN-KIOSK-CARD:"
    static let version = 1
    /// The longest version that is told from nonsense, in digits.
    private static let versionDigits = 1...4

    private static let opening = Array("\(scheme)\(version):".utf8)

    /// The card as the text of a QR code, another one each time.
    ///
    /// - Returns: nil when it would be longer than ``maximumLength``, or when OpenSSL could not seal it.
    public func text(sealedWith key: FleetKey) -> SecretBytes? {
        let (userID, backend) = (Array(identity.key.userID.utf8), Array(identity.key.backend.utf8))
        guard userID.count <= PersonalCard.maximumLength, backend.count <= PersonalCard.maximumLength else {
            return nil
        }
        let head = [userID, backend].flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        let plain = identity.record.withBytes { record in
            SecretBytes(count: head.count + record.count) { plain in
                for index in head.indices { plain[index] = head[index] }
                for index in record.indices { plain[head.count + index] = record[index] }
            }
        }
        guard let sealed = key.cards.seal(plain, context: PersonalCard.opening + key.name) else { return nil }
        let text = PersonalCard.opening + Base45.encoded(key.name + sealed)
        return text.count <= PersonalCard.maximumLength ? SecretBytes(copying: text) : nil
    }

    /// Whether the bytes of a QR code are a personal card, of whatever fleet and version, whole or not.
    public static func isCard(_ symbol: Span<UInt8>) -> Bool {
        let scheme = Array(scheme.utf8)
        return symbol.count >= scheme.count && scheme.indices.allSatisfy { symbol[$0] == scheme[$0] }
    }

    /// Reads the bytes of a QR code that is a personal card.
    public init(symbol: Span<UInt8>, openedWith key: FleetKey) throws(PersonalCardError) {
        guard PersonalCard.isCard(symbol) else { throw .damaged }
        let start = try PersonalCard.startOfBody(in: symbol)
        guard let bytes = Base45.decoded(symbol.extracting(start...)), bytes.count >= FleetKey.nameLength else {
            throw .damaged
        }
        guard bytes.starts(with: key.name) else { throw .otherFleet }
        let sealed = bytes.dropFirst(FleetKey.nameLength)
        guard let plain = key.cards.open(sealed, context: PersonalCard.opening + key.name) else { throw .damaged }
        guard let identity = plain.withBytes({ PersonalCard.identity(in: $0) }) else { throw .damaged }
        self.identity = identity
    }

    private static func startOfBody(in symbol: Span<UInt8>) throws(PersonalCardError) -> Int {
        let start = scheme.utf8.count
        var end = start
        var version = 0
        while end < symbol.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(symbol[end]) {
            guard end - start < versionDigits.upperBound else { throw .damaged }
            version = version * 10 + Int(symbol[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end < symbol.count, symbol[end] == UInt8(ascii: ":"), versionDigits.contains(end - start) else {
            throw .damaged
        }
        guard version <= self.version else { throw .newerVersion }
        // One spelling of each version.
        guard symbol[start] != UInt8(ascii: "0"), symbol.count <= maximumLength else { throw .damaged }
        return end + 1
    }

    private static func identity(in plain: Span<UInt8>) -> StoredIdentity? {
        var position = 0
        var texts: [String] = []
        for _ in 0..<2 {
            guard position + 2 <= plain.count else { return nil }
            let end = position + 2 + Int(plain[position]) << 8 + Int(plain[position + 1])
            guard end <= plain.count else { return nil }
            let bytes = (position + 2..<end).map { plain[$0] }
            guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
            texts.append(text)
            position = end
        }
        return StoredIdentity(
            key: IdentityKey(userID: texts[0], backend: texts[1]),
            record: SecretBytes(copying: plain.extracting(position...)))
    }
}
