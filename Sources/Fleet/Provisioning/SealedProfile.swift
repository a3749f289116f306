// SPDX-License-Identifier: Apache-2.0

import Encoding
import Sealing

/// A profile as the text of a QR code or of a file, signed by an operator. One for a single kiosk is also sealed, so
/// that nobody else can read it.
///
/// ``operatorKey`` has signed a value of this type. `open` checks that the signer is this kiosk's operator, and that
/// the profile is for this kiosk and this day. `docs/provisioning.md` has the format.
public struct SealedProfile: Sendable {
    /// The longest text that a camera reads well, in bytes: as for a personal card.
    public static let maximumCodeLength = 1853
    /// The longest text of a file, in bytes.
    public static let maximumLength = 64 * 1024

    /// The key of the operator who signed it.
    public let operatorKey: OperatorPublicKey
    /// Whether it is for a single kiosk.
    public var isSealed: Bool { recipient != nil }

    private let recipient: Recipient?
    private let payload: ArraySlice<UInt8>

    private struct Recipient {
        let name: ArraySlice<UInt8>
        /// The public key of the key pair that was made for this profile only.
        let sender: ArraySlice<UInt8>
    }

    private static let code = CodeText(scheme: "LOGIN-KIOSK-PROFILE", version: 1, maximumLength: maximumLength)
    private static let purpose = "login-kiosk profile 1"

    /// Whether a code or file is a profile, of any operator and version, whole or not.
    public static func isProfile(_ symbol: Span<UInt8>) -> Bool { code.begins(symbol) }
}

// The body of the text, before Base45:
//
//     operator's public key (32) | signature (64) | 0 | profile
//     operator's public key (32) | signature (64) | 1 | kiosk's name (8) | X25519 key (32) | nonce (12) | profile | tag
//     (16)
//
// The signature (Ed25519) is over the text before the body, the operator's key, and everything after the signature. A
// sealed profile is AES-256-GCM under HMAC-SHA-256(X25519 of both keys, "login-kiosk profile 1"). Its associated data
// are the text before the body, the operator's key, the kiosk's key and this profile's key. So replacing the signature
// by another operator's makes a profile that does not open.
extension SealedProfile {
    /// The byte before the profile of each of the two forms.
    private static let (readableForm, sealedForm): (UInt8, UInt8) = (0, 1)
    private static let nameEnd = 1 + KioskPublicKey.nameLength

    /// Makes the text of a profile, signed, and sealed for one kiosk or readable for all.
    ///
    /// - Returns: ASCII, at most ``maximumLength`` bytes. It fits a QR code up to ``maximumCodeLength``.
    public static func text(
        of profile: KioskProfile, by key: OperatorKey, for kiosk: KioskPublicKey?
    ) throws(ProfileError) -> [UInt8] {
        guard kiosk != nil || profile.fleetKey == nil else { throw .secretForAll }
        guard let plain = profile.encoded() else { throw .tooLong }
        let rest =
            if let kiosk { try sealed(plain, by: key, for: kiosk) } else {
                plain.withBytes { plain in [readableForm] + plain.indices.map { plain[$0] } }
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
    ) throws(ProfileError) -> [UInt8] {
        guard let own = CurveKey.random(), let sender = CurveKey.x25519.publicKey(of: own),
            let seal = seal(CurveKey.agreement(of: own, with: kiosk.bytes)),
            let sealed = seal.seal(plain, context: context(key.publicKey.bytes, kiosk.bytes, sender))
        else { throw .cryptography }
        return [sealedForm] + kiosk.name + sender + sealed
    }

    private static func seal(_ agreement: SecretBytes?) -> AuthenticatedSeal? {
        agreement?.derivedKey(for: purpose).map { AuthenticatedSeal(key: $0) }
    }

    private static func context(_ signer: [UInt8], _ kiosk: [UInt8], _ sender: [UInt8]) -> [UInt8] {
        code.opening + signer + kiosk + sender
    }

    /// Reads the text of a code or a file.
    ///
    /// - Throws: ``ProfileError/newerVersion`` or ``ProfileError/damaged``, also for a wrong signature.
    public init(symbol: Span<UInt8>) throws(ProfileError) {
        let body: [UInt8]
        do throws(CodeText.Problem) { body = try SealedProfile.code.body(of: symbol) } catch {
            throw error == .newerVersion ? .newerVersion : .damaged
        }
        let start = CurveKey.length + CurveKey.signatureLength
        guard body.count > start else { throw .damaged }
        let signer = Array(body.prefix(CurveKey.length))
        let rest = body[start...]
        guard
            CurveKey.isSignature(
                Array(body[CurveKey.length..<start]), of: SealedProfile.code.opening + signer + rest, by: signer)
        else { throw .damaged }
        operatorKey = OperatorPublicKey(signer)
        switch rest.first {
        case SealedProfile.readableForm:
            recipient = nil
            payload = rest.dropFirst()
        case SealedProfile.sealedForm where rest.count > SealedProfile.nameEnd + CurveKey.length:
            let senderEnd = SealedProfile.nameEnd + CurveKey.length
            recipient = Recipient(
                name: rest.dropFirst().prefix(KioskPublicKey.nameLength),
                sender: rest.prefix(senderEnd).dropFirst(SealedProfile.nameEnd))
            payload = rest.dropFirst(senderEnd)
        default: throw .damaged
        }
    }

    /// Whether it is for this kiosk, or for all.
    public func isFor(_ kiosk: KioskPublicKey) -> Bool { recipient.map { $0.name.elementsEqual(kiosk.name) } ?? true }

    /// Opens the profile if it is valid at this kiosk.
    ///
    /// - Parameters:
    ///   - key: the kiosk's; nil opens only profiles for all.
    ///   - trusted: the kiosk's operator; nil for a kiosk that has none yet.
    ///   - last: the date of the kiosk's current profile, in seconds since 1970; nil without one.
    ///   - now: in seconds since 1970; 0 for a clock that shows a time before this program was made.
    ///   - latest: the latest accepted date; nil if the clock may be behind.
    public func open(
        with key: KioskKey?, trusting trusted: OperatorPublicKey?, after last: UInt64?, now: UInt64,
        latest: UInt64? = nil
    ) throws(ProfileError) -> KioskProfile {
        guard trusted == nil || trusted == operatorKey else { throw .otherOperator }
        let profile = try content(key)
        guard profile.fleetKey == nil || isSealed else { throw .secretForAll }
        guard now <= profile.validUntil else { throw .expired }
        // Once installed, it would make the kiosk refuse every profile with the right date.
        if let latest, profile.madeAt > latest { throw .tooNew }
        if let last, profile.madeAt <= last { throw .notNewer }
        return profile
    }

    private func content(_ key: KioskKey?) throws(ProfileError) -> KioskProfile {
        guard let recipient else {
            guard let profile = KioskProfile(SecretBytes(copying: payload)) else { throw .damaged }
            return profile
        }
        guard let key, isFor(key.publicKey) else { throw .otherKiosk }
        let context = SealedProfile.context(operatorKey.bytes, key.publicKey.bytes, Array(recipient.sender))
        guard let seal = SealedProfile.seal(CurveKey.agreement(of: key.key, with: Array(recipient.sender))),
            let plain = seal.open(payload, context: context), let profile = KioskProfile(plain)
        else { throw .damaged }
        return profile
    }
}
