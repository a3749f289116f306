// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import Sealing

/// Proof Key for Code Exchange (RFC 7636). Only the method S256 is accepted.
package enum ProofKey {
    package static let method = "S256"
    /// Length of a SHA-256 digest in base64url without padding.
    private static let challengeLength = 43
    private static let verifierLengths = 43...128

    /// 32 random bytes as 43 characters (RFC 7636, section 4.1).
    package static func newVerifier() throws(BackendError) -> String { Base64.urlText(try RandomBytes.make(32)) }

    /// RFC 7636, section 4.2.
    package static func challenge(of verifier: String) -> String { Base64.urlText(Digest.sha256(Array(verifier.utf8))) }

    static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == challengeLength && Base64.bytes(urlText: text)?.count == 32
    }

    /// Whether `verifier` is well-formed and `challenge` was made of it.
    static func isMatch(_ verifier: String, _ challenge: String) -> Bool {
        guard verifierLengths.contains(verifier.utf8.count), verifier.utf8.allSatisfy({ isUnreserved($0) }) else {
            return false
        }
        return Digest.equal(Array(self.challenge(of: verifier).utf8), Array(challenge.utf8))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
