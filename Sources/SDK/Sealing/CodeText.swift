// SPDX-License-Identifier: Apache-2.0

/// Bytes as the text of a QR code, in the code's alphanumeric characters only:
///
///     SCHEME:VERSION:BODY
///
/// SCHEME tells the kind of text, BODY is Base45 (RFC 9285). Files contain the same text.
public struct CodeText: Sendable {
    /// Why a text with the right scheme has no readable body.
    public enum Problem: Error, Sendable {
        /// A later version of this program wrote it, in an unknown form.
        case newerVersion
        /// An earlier version of this program wrote it, in a form that is no longer valid.
        case olderVersion
        /// It is cut off, or this program never wrote it.
        case damaged
    }

    /// The scheme with its colon, with which every version begins.
    public let scheme: String
    public let version: Int
    /// In bytes.
    public let maximumLength: Int
    /// The number of digits that a version may have; any other text is damaged.
    private static let versionDigits = 1...4

    /// - Parameter scheme: characters of ``Base45`` without a colon.
    public init(scheme: String, version: Int, maximumLength: Int) {
        self.scheme = scheme + ":"
        self.version = version
        self.maximumLength = maximumLength
    }

    /// The bytes before the body.
    public var opening: [UInt8] { Array("\(scheme)\(version):".utf8) }

    /// - Returns: nil when it would be longer than ``maximumLength``.
    public func text(of body: [UInt8]) -> [UInt8]? {
        let text = opening + Base45.encoded(body)
        return text.count <= maximumLength ? text : nil
    }

    /// Whether a code has this scheme, of any version, whole or not.
    public func begins(_ symbol: Span<UInt8>) -> Bool {
        let scheme = Array(scheme.utf8)
        return symbol.count >= scheme.count && scheme.indices.allSatisfy { symbol[$0] == scheme[$0] }
    }

    /// Reads the body of a text of this version.
    public func body(of symbol: Span<UInt8>) throws(Problem) -> [UInt8] {
        guard begins(symbol) else { throw .damaged }
        let start = scheme.utf8.count
        var end = start
        var version = 0
        while end < symbol.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(symbol[end]) {
            guard end - start < CodeText.versionDigits.upperBound else { throw .damaged }
            version = version * 10 + Int(symbol[end] - UInt8(ascii: "0"))
            end += 1
        }
        guard end < symbol.count, symbol[end] == UInt8(ascii: ":"), CodeText.versionDigits.contains(end - start) else {
            throw .damaged
        }
        guard version <= self.version else { throw .newerVersion }
        // Each version has one spelling, and there never was a version 0.
        guard symbol[start] != UInt8(ascii: "0") else { throw .damaged }
        guard version == self.version else { throw .olderVersion }
        guard symbol.count <= maximumLength,
            let body = Base45.decoded(symbol.extracting((end + 1)...))
        else { throw .damaged }
        return body
    }
}

/// Bytes in the 45 characters of a QR code's densest text mode (RFC 9285; ISO/IEC 18004, alphanumeric mode): 8.25 bits
/// of the picture a byte, where Base64 takes 10.7.
public enum Base45 {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 3 + 1) / 2)
        for start in stride(from: 0, to: bytes.count, by: 2) {
            let isPair = start + 1 < bytes.count
            var value = isPair ? Int(bytes[start]) << 8 | Int(bytes[start + 1]) : Int(bytes[start])
            for _ in 0..<(isPair ? 3 : 2) {
                text.append(alphabet[value % 45])
                value /= 45
            }
        }
        return text
    }

    /// - Returns: nil for text that ``encoded(_:)`` never writes.
    public static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 3 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 2 / 3 + 1)
        for start in stride(from: 0, to: text.count, by: 3) {
            let end = min(start + 3, text.count)
            var value = 0
            for index in stride(from: end - 1, through: start, by: -1) {
                guard let digit = values[Int(text[index])] else { return nil }
                value = value * 45 + Int(digit)
            }
            if end - start == 3 {
                guard value <= 0xFFFF else { return nil }
                bytes.append(UInt8(value >> 8))
            } else if value > 0xFF {
                return nil
            }
            bytes.append(UInt8(value & 0xFF))
        }
        return bytes
    }
}
