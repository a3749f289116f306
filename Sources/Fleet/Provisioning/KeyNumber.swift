// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A public key in a form that people read aloud: four groups of four digits, made from its hash. Finding another key
/// with the same number takes some 10^16 tries.
public struct KeyNumber: Hashable, Sendable, CustomStringConvertible {
    /// 16 digits.
    private let digits: String

    init(of key: [UInt8], for purpose: String) {
        let number = KeyDigest.sha256(purpose, key).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let text = String(number % 10_000_000_000_000_000)
        digits = String(repeating: "0", count: 16 - text.count) + text
    }

    /// - Parameter text: as a person wrote it down: blanks and hyphens between the digits are ignored.
    /// - Returns: nil for anything but 16 digits.
    public init?(_ text: some StringProtocol) {
        let digits = String(text.filter { $0 != " " && $0 != "-" })
        guard digits.utf8.count == 16, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.digits = digits
    }

    /// For example `1234 5678 9012 3456`.
    public var description: String {
        stride(from: 0, to: 16, by: 4).map { digits.dropFirst($0).prefix(4) }.joined(separator: " ")
    }
}

enum KeyDigest {
    /// The digest of a purpose, a zero byte and a key.
    static func sha256(_ purpose: String, _ key: [UInt8]) -> [UInt8] {
        let text = Array(purpose.utf8) + [0] + key
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = unsafe SHA256(text, text.count, &digest)
        return digest
    }
}

/// Bytes as capital hexadecimal digits, which a QR code stores compactly.
enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// - Returns: nil for an odd number of digits, and for anything but digits and capital letters.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x41 + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
