// SPDX-License-Identifier: Apache-2.0

public import Encoding

/// An operator's settings for a kiosk.
public struct KioskProfile: Sendable, Equatable {
    /// In bytes of UTF-8.
    public static let maximumNameLength = 64
    static let maximumTextLength = 16 * 1024
    /// Length of the fleet key in bytes.
    public static let fleetKeyLength = 32

    /// The date of the profile, in seconds since 1970. It does not replace a newer one.
    public var madeAt: UInt64
    /// The end of its validity, in seconds since 1970.
    public var validUntil: UInt64
    /// The operator's name, which tells the person at the kiosk whose profile it is.
    public var operatorName: String
    /// Settings, in the form of `config.yaml`.
    public var settings: String
    /// The trust list; nil keeps the kiosk's.
    public var trust: String?
    /// The fleet key; nil keeps the kiosk's.
    public var fleetKey: SecretBytes?

    public init(
        madeAt: UInt64, validUntil: UInt64, operatorName: String, settings: String = "", trust: String? = nil,
        fleetKey: SecretBytes? = nil
    ) {
        self.madeAt = madeAt
        self.validUntil = validUntil
        self.operatorName = operatorName
        self.settings = settings
        self.trust = trust
        self.fleetKey = fleetKey
    }
}

/// The reason why a profile cannot be made, or changes nothing.
public enum ProfileError: Error, Hashable, Sendable, CaseIterable {
    /// A later version of this program wrote it, in an unknown form.
    case newerVersion
    /// It is cut off, or not as its operator signed it.
    case damaged
    /// Another operator than this kiosk's signed it.
    case otherOperator
    /// It was sealed for another kiosk.
    case otherKiosk
    /// It has expired.
    case expired
    /// This profile or a newer one is already installed.
    case notNewer
    /// Its date is a day ahead of a clock that is set, or a year ahead of one that may be behind.
    case tooNew
    /// It is too long: `KioskProfile.maximumNameLength`, or ``SealedProfile/maximumLength``.
    case tooLong
    /// A profile with a fleet key must be sealed for one kiosk.
    case secretForAll
    /// OpenSSL failed.
    case cryptography
}

// The form of a profile before it is sealed; numbers are big endian:
//
//     made at (8) | valid until (8) | name | settings | trust list | fleet's key
//
// The last four are preceded by their length (2 bytes); 0xFFFF stands for a missing part.
extension KioskProfile {
    fileprivate static let absent: UInt64 = 0xFFFF

    /// - Returns: nil when a part is too long.
    func encoded() -> SecretBytes? {
        guard operatorName.utf8.count <= KioskProfile.maximumNameLength,
            [settings, trust ?? ""].allSatisfy({ $0.utf8.count <= KioskProfile.maximumTextLength }),
            fleetKey.map({ $0.count == KioskProfile.fleetKeyLength }) ?? true
        else { return nil }
        let texts = [operatorName, settings, trust].map { $0.map { SecretBytes(copying: $0.utf8) } }
        let parts = (texts + [fleetKey]).flatMap {
            $0?.withLength(in: 2) ?? [SecretBytes(KioskProfile.absent, count: 2)]
        }
        return SecretBytes(joining: [SecretBytes(madeAt, count: 8), SecretBytes(validUntil, count: 8)] + parts)
    }

    /// - Returns: nil for anything that ``encoded()`` never makes.
    init?(_ bytes: SecretBytes) {
        var reader = SecretReader(bytes)
        guard let madeAt = reader.number(8), let validUntil = reader.number(8), let name = reader.optionalPart(),
            let settings = reader.optionalPart(), let trust = reader.optionalPart(),
            let fleetKey = reader.optionalPart(), reader.isAtEnd,
            let operatorName = KioskProfile.text(name, upTo: KioskProfile.maximumNameLength),
            let text = KioskProfile.text(settings),
            fleetKey.map({ $0.count == KioskProfile.fleetKeyLength }) ?? true
        else { return nil }
        let list = KioskProfile.text(trust)
        guard trust == nil || list != nil else { return nil }
        self.init(
            madeAt: madeAt, validUntil: validUntil, operatorName: operatorName, settings: text, trust: list,
            fleetKey: fleetKey)
    }

    private static func text(_ part: SecretBytes?, upTo maximum: Int = maximumTextLength) -> String? {
        part.flatMap { $0.count <= maximum ? $0.text : nil }
    }
}

extension SecretReader {
    /// - Returns: `.some(nil)` for a missing part.
    fileprivate mutating func optionalPart() -> SecretBytes?? {
        guard let length = number(2) else { return nil }
        return length == KioskProfile.absent ? .some(nil) : bytes(Int(length)).map { .some($0) }
    }
}
