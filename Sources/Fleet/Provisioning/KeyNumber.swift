// SPDX-License-Identifier: Apache-2.0

import Sealing

/// A public key in a form that people read aloud: four groups of four digits, made from its hash. Finding another key
/// with the same number takes some 10^16 tries.
public struct KeyNumber: Hashable, Sendable, CustomStringConvertible {
    private static let length = 16

    /// ``length`` digits.
    private let digits: String

    init(of key: [UInt8], for purpose: String) {
        let number = KeyDigest.sha256(purpose, key).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let text = String(String(number).suffix(KeyNumber.length))
        digits = String(repeating: "0", count: KeyNumber.length - text.count) + text
    }

    /// - Parameter text: as a person wrote it down: blanks and hyphens between the digits are ignored.
    /// - Returns: nil for anything but 16 digits.
    public init?(_ text: some StringProtocol) {
        let digits = String(text.filter { $0 != " " && $0 != "-" })
        guard digits.utf8.count == KeyNumber.length, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        self.digits = digits
    }

    /// For example `1234 5678 9012 3456`.
    public var description: String {
        stride(from: 0, to: KeyNumber.length, by: 4).map { digits.dropFirst($0).prefix(4) }.joined(separator: " ")
    }
}

enum KeyDigest {
    /// The digest of a purpose, a zero byte and a key.
    static func sha256(_ purpose: String, _ key: [UInt8]) -> [UInt8] {
        Digest.sha256(Array(purpose.utf8) + [0] + key)
    }
}
