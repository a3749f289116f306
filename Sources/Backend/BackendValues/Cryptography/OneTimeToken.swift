// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Encoding
import Sealing

/// 16 random bytes, 32 hexadecimal digits on the wire: regOTT, webOTT, authOTT, the access code in a QR code, the
/// cookie of a browser. Anybody who holds one may use it, so it never prints.
package struct OneTimeToken: TableKey, Codable, CustomStringConvertible {
    package let hex: String

    /// - Throws: `BackendError.randomnessUnavailable`.
    package static func random() throws(BackendError) -> OneTimeToken {
        OneTimeToken(unchecked: Hexadecimal.text(try RandomBytes.make(16)))
    }

    /// Nil unless `text` is 32 hexadecimal digits.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 32, let bytes = Hexadecimal.bytes(text) else { return nil }
        hex = Hexadecimal.text(bytes)
    }

    private init(unchecked hex: String) { self.hex = hex }

    package var description: String { "<redacted>" }

    package var bytes: [UInt8] { Array(hex.utf8) }

    /// The digest that is stored in place of the token.
    package var digest: [UInt8] { Digest.sha256(Array(hex.utf8)) }
}

/// Bytes from libcrypto's generator.
package enum RandomBytes {
    /// - Throws: `BackendError.randomnessUnavailable` when the generator cannot be seeded.
    package static func make(_ count: Int) throws(BackendError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // RAND_bytes writes exactly the count it is given.
        guard unsafe RAND_bytes(&bytes, Int32(count)) == 1 else { throw .randomnessUnavailable }
        return bytes
    }
}
