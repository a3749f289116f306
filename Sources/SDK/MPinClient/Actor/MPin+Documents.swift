// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension MPin {
    /// The SHA-256 digest of a document, 32 bytes, which is signed.
    public static func hashDocument(_ document: [UInt8]) -> [UInt8] { DocumentDigest.bytes(of: document) }

    /// Whether a relying party's `hash` is the digest of the document that a person was shown. Compares in constant
    /// time.
    ///
    /// - Parameters:
    ///   - document: UTF-8, exactly as it was shown.
    ///   - hash: 64 hexadecimal digits of either case, as ASCII.
    public static func verifyDocument(_ document: [UInt8], hash: [UInt8]) -> Bool {
        guard let given = digest(hash), hash.count == 2 * DocumentDigest.length else { return false }
        return SecretBytes(copying: given) == SecretBytes(copying: hashDocument(document))
    }

    /// Reads a digest of 32 bytes or 64 hexadecimal digits: relying parties send digits, signatures are of the bytes.
    static func digest(_ hash: [UInt8]) -> [UInt8]? {
        if hash.count == DocumentDigest.length { return hash }
        guard let bytes = SecretBytes(hex: hash.span, counts: DocumentDigest.length...DocumentDigest.length) else {
            return nil
        }
        return bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
}
