// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A public RSA key of a JSON web key set, which checks RS256 signatures (RFC 7518, section 3.3).
struct VerificationKey: Sendable {
    /// RSAPublicKey of RFC 8017, appendix A.1.1.
    private let der: [UInt8]

    /// - Parameters:
    ///   - modulus: big-endian, as in a JSON web key.
    ///   - exponent: as well.
    init(modulus: [UInt8], exponent: [UInt8]) {
        der = Self.element(0x30, Self.integer(modulus) + Self.integer(exponent))
    }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let key = unsafe der.withUnsafeBufferPointer { buffer in
            // It reads within the length given, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe d2i_PublicKey(EVP_PKEY_RSA, nil, &position, buffer.count)
        }
        guard let key = unsafe key else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let digest = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(digest) }
        // EVP_DigestVerify reads both arrays within their bounds.
        return unsafe EVP_DigestVerifyInit(digest, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(digest, signature, signature.count, message, message.count) == 1
    }

    /// A positive number: a zero goes before a first byte that would make it a negative one.
    private static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return element(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xff), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
