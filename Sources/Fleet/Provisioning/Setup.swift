// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// An operator's settings for a kiosk.
public struct Setup: Sendable, Equatable {
    /// In bytes of UTF-8.
    public static let maximumNameLength = 64
    static let maximumTextLength = 16 * 1024
    /// Length of the fleet key in bytes.
    public static let fleetKeyLength = 32

    /// The date of the setup, in seconds since 1970. It does not replace a newer one.
    public var madeAt: UInt64
    /// The end of its validity, in seconds since 1970.
    public var validUntil: UInt64
    /// The operator's name, which tells the person at the kiosk whose setup it is.
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

/// Why a setup cannot be made, or changes nothing.
public enum SetupError: Error, Hashable, Sendable, CaseIterable {
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
    /// This setup or a newer one is already installed.
    case notNewer
    /// Its date is a day ahead of a clock that is set, or a year ahead of one that may be behind.
    case tooNew
    /// It is too long: `Setup.maximumNameLength`, or ``SealedSetup/maximumLength``.
    case tooLong
    /// A setup with a fleet key must be sealed for one kiosk.
    case secretForAll
    /// OpenSSL failed.
    case cryptography
}

// The form of a setup before it is sealed; numbers are big endian:
//
//     made at (8) | valid until (8) | name | settings | trust list | fleet's key
//
// The last four are preceded by their length (2 bytes); 0xFFFF stands for a missing part.
extension Setup {
    private static let absent = 0xFFFF

    /// - Returns: nil when a part is too long.
    func encoded() -> SecretBytes? {
        let texts: [String?] = [operatorName, settings, trust]
        guard operatorName.utf8.count <= Setup.maximumNameLength,
            texts.allSatisfy({ ($0?.utf8.count ?? 0) <= Setup.maximumTextLength }),
            fleetKey.map({ $0.count == Setup.fleetKeyLength }) ?? true
        else { return nil }
        var head = [madeAt, validUntil].flatMap { Setup.bytes(of: $0, 8) }
        for text in texts {
            head += Setup.bytes(of: UInt64(text?.utf8.count ?? Setup.absent), 2) + Array((text ?? "").utf8)
        }
        head += Setup.bytes(of: UInt64(fleetKey?.count ?? Setup.absent), 2)
        let key = fleetKey ?? SecretBytes(copying: [UInt8]())
        return SecretBytes(count: head.count + key.count) { bytes in
            for index in head.indices { bytes[index] = head[index] }
            key.withBytes { key in for index in key.indices { bytes[head.count + index] = key[index] } }
        }
    }

    /// - Returns: nil for anything that ``encoded()`` never makes.
    init?(_ bytes: Span<UInt8>) {
        var reader = Reader(count: bytes.count)
        guard let madeAt = reader.number(8, bytes), let validUntil = reader.number(8, bytes),
            let name = reader.part(bytes), let settings = reader.part(bytes), let trust = reader.part(bytes),
            let key = reader.part(bytes), reader.position == bytes.count
        else { return nil }
        guard let name, let settings, let operatorName = Setup.text(name, bytes),
            let settings = Setup.text(settings, bytes), name.count <= Setup.maximumNameLength,
            key.map({ $0.count == Setup.fleetKeyLength }) ?? true
        else { return nil }
        self.init(madeAt: madeAt, validUntil: validUntil, operatorName: operatorName, settings: settings)
        if let trust {
            guard let text = Setup.text(trust, bytes) else { return nil }
            self.trust = text
        }
        if let key { fleetKey = SecretBytes(copying: bytes.extracting(key)) }
    }

    private static func bytes(of number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    private static func text(_ range: Range<Int>, _ bytes: Span<UInt8>) -> String? {
        guard range.count <= maximumTextLength else { return nil }
        return String(validating: range.map { bytes[$0] }, as: UTF8.self)
    }

    private struct Reader {
        var position = 0
        let count: Int

        init(count: Int) { self.count = count }

        mutating func number(_ length: Int, _ bytes: Span<UInt8>) -> UInt64? {
            guard count - position >= length else { return nil }
            defer { position += length }
            return (position..<position + length).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }

        /// - Returns: `.some(nil)` for a missing part.
        mutating func part(_ bytes: Span<UInt8>) -> Range<Int>?? {
            guard let length = number(2, bytes) else { return nil }
            if length == Setup.absent { return .some(nil) }
            guard count - position >= Int(length) else { return nil }
            defer { position += Int(length) }
            return .some(position..<position + Int(length))
        }
    }
}
