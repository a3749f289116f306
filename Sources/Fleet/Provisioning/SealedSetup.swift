// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Sealing

/// A setup as the text of a QR code or of a file, signed by an operator; for one kiosk also sealed, so that no other
/// reader learns what is in it.
///
/// A value of this type was signed by ``operatorKey``. Whether that is this kiosk's operator, and whether the setup is
/// for this kiosk and of this day, `open` says. `docs/provisioning.md` has the form.
public struct SealedSetup: Sendable {
    /// The longest text that a camera reads well, in bytes: as of a personal card.
    public static let maximumCodeLength = 1853
    /// The longest text of a file, in bytes.
    public static let maximumLength = 64 * 1024

    /// The key of the operator who signed it.
    public let operatorKey: OperatorPublicKey
    /// Whether it is for one kiosk.
    public var isSealed: Bool { recipient != nil }

    private let recipient: Recipient?
    private let payload: ArraySlice<UInt8>

    private struct Recipient {
        let name: ArraySlice<UInt8>
        /// Of the key pair that was made for this setup alone.
        let sender: ArraySlice<UInt8>
    }

    private static let code = CodeText(scheme: "LOGIN-KIOSK-SETUP", version: 1, maximumLength: maximumLength)
    private static let purpose = "login-kiosk setup 1"

    /// Whether the bytes of a code or file are a setup, of whatever operator and version, whole or not.
    public static func isSetup(_ symbol: Span<UInt8>) -> Bool { code.begins(symbol) }
}

// The body of the text, before Base45:
//
//     operator's public key (32) | signature (64) | 0 | setup
//     operator's public key (32) | signature (64) | 1 | kiosk's name (8) | X25519 key (32) | nonce (12) | setup | tag
//     (16)
//
// The signature (Ed25519) is over what stands before the body, the operator's key, and all that follows the signature.
// A sealed setup is AES-256-GCM under HMAC-SHA-256(X25519 of both keys, "login-kiosk setup 1"), with what stands before
// the body, the operator's key, the kiosk's and the one of this setup as associated data: who takes the signature off
// and signs it himself has something that does not open.
extension SealedSetup {
    private static let nameEnd = 1 + KioskPublicKey.nameLength

    /// A setup as its text, signed, and sealed for one kiosk or readable for all.
    ///
    /// - Returns: ASCII, at most ``maximumLength`` bytes. It fits a QR code up to ``maximumCodeLength``.
    public static func text(
        of setup: Setup, by key: OperatorKey, for kiosk: KioskPublicKey?
    ) throws(SetupError) -> [UInt8] {
        guard kiosk != nil || setup.fleetKey == nil else { throw .secretForAll }
        guard let plain = setup.encoded() else { throw .tooLong }
        let rest =
            if let kiosk { try sealed(plain, by: key, for: kiosk) } else {
                plain.withBytes { plain in [0] + plain.indices.map { plain[$0] } }
            }
        let signer = key.publicKey.bytes
        guard let signature = CurveKey.signature(of: code.opening + signer + rest, by: key.key) else {
            throw .cryptography
        }
        guard let text = code.text(of: signer + signature + rest) else { throw .tooLong }
        return text
    }

    private static func sealed(
        _ plain: SecretBytes, by key: OperatorKey, for kiosk: KioskPublicKey
    ) throws(SetupError) -> [UInt8] {
        guard let own = CurveKey.random(), let sender = CurveKey.x25519.publicKey(of: own),
            let seal = seal(CurveKey.agreement(of: own, with: kiosk.bytes)),
            let sealed = seal.seal(plain, context: context(key.publicKey.bytes, kiosk.bytes, sender))
        else { throw .cryptography }
        return [1] + kiosk.name + sender + sealed
    }

    private static func seal(_ agreement: SecretBytes?) -> AuthenticatedSeal? {
        agreement?.derivedKey(for: purpose).map { AuthenticatedSeal(key: $0) }
    }

    private static func context(_ signer: [UInt8], _ kiosk: [UInt8], _ sender: [UInt8]) -> [UInt8] {
        code.opening + signer + kiosk + sender
    }

    /// Reads the text of a code or a file.
    ///
    /// - Throws: ``SetupError/newerVersion`` or ``SetupError/damaged``, which a wrong signature is, too.
    public init(symbol: Span<UInt8>) throws(SetupError) {
        let body: [UInt8]
        do throws(CodeText.Problem) { body = try SealedSetup.code.body(of: symbol) } catch {
            throw error == .newerVersion ? .newerVersion : .damaged
        }
        let start = CurveKey.length + CurveKey.signatureLength
        guard body.count > start else { throw .damaged }
        let signer = Array(body.prefix(CurveKey.length))
        let rest = body[start...]
        guard
            CurveKey.isSignature(
                Array(body[CurveKey.length..<start]), of: SealedSetup.code.opening + signer + rest, by: signer)
        else { throw .damaged }
        operatorKey = OperatorPublicKey(signer)
        switch rest.first {
        case 0:
            recipient = nil
            payload = rest.dropFirst()
        case 1 where rest.count > SealedSetup.nameEnd + CurveKey.length:
            let senderEnd = SealedSetup.nameEnd + CurveKey.length
            recipient = Recipient(
                name: rest.dropFirst().prefix(KioskPublicKey.nameLength),
                sender: rest.prefix(senderEnd).dropFirst(SealedSetup.nameEnd))
            payload = rest.dropFirst(senderEnd)
        default: throw .damaged
        }
    }

    /// Whether it is for this kiosk, or for all.
    public func isFor(_ kiosk: KioskPublicKey) -> Bool { recipient.map { $0.name.elementsEqual(kiosk.name) } ?? true }

    /// Opens the setup when it counts at this kiosk.
    ///
    /// - Parameters:
    ///   - key: the kiosk's; nil reads only what is for all.
    ///   - trusted: the kiosk's operator; nil for a kiosk that has none yet.
    ///   - last: when the setup was made that counts at the kiosk now, in seconds since 1970; nil where none does.
    ///   - now: in seconds since 1970; 0 for a clock that shows a time before this program was made.
    ///   - latest: the latest time at which it may have been made; nil where the clock may be behind.
    public func open(
        with key: KioskKey?, trusting trusted: OperatorPublicKey?, after last: UInt64?, now: UInt64,
        latest: UInt64? = nil
    ) throws(SetupError) -> Setup {
        guard trusted == nil || trusted == operatorKey else { throw .otherOperator }
        let setup = try content(key)
        guard setup.fleetKey == nil || isSealed else { throw .secretForAll }
        guard now <= setup.validUntil else { throw .expired }
        // Once in place, no setup of the right date would count any more.
        if let latest, setup.madeAt > latest { throw .tooNew }
        if let last, setup.madeAt <= last { throw .notNewer }
        return setup
    }

    private func content(_ key: KioskKey?) throws(SetupError) -> Setup {
        guard let recipient else {
            guard let setup = Setup(payload.span) else { throw .damaged }
            return setup
        }
        guard let key, isFor(key.publicKey) else { throw .otherKiosk }
        let context = SealedSetup.context(operatorKey.bytes, key.publicKey.bytes, Array(recipient.sender))
        guard let seal = SealedSetup.seal(CurveKey.agreement(of: key.key, with: Array(recipient.sender))),
            let plain = seal.open(payload, context: context), let setup = plain.withBytes({ Setup($0) })
        else { throw .damaged }
        return setup
    }
}
