// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The RSA key that the platform signs tokens with, 2048 bits, RS256 (RFC 7518, section 3.3). Kept in DER and read for every
/// signature: tokens are rare.
struct SigningKey: Sendable {
    static let keyID = "s1"
    private static let bits: Int32 = 2048

    private let der: SecretBytes
    /// Big-endian, as in a JSON web key.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Reads `signing-key` in the state directory, or makes it at the first start.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("signing-key")
        if try StateDirectory.read(path) == nil {
            var made = try Self.made()
            defer { wipe(&made) }
            try StateDirectory.create(path, content: made)
        }
        guard let content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        der = SecretBytes(content)
        guard let (modulus, exponent) = der.withBytes({ Self.publicNumbers($0) }) else {
            throw .file(path: path, reason: "not the signing key of this program")
        }
        (self.modulus, self.exponent) = (modulus, exponent)
    }

    /// The signature of a token's first two parts, 256 bytes.
    /// - Throws: `BackendError.cryptographyFailed`.
    func signature(of message: [UInt8]) throws(BackendError) -> [UInt8] {
        let signature = der.withBytes { der in
            unsafe Self.withKey(der) { key -> [UInt8]? in
                guard let digest = unsafe EVP_MD_CTX_new() else { return nil }
                defer { unsafe EVP_MD_CTX_free(digest) }
                var signature = [UInt8](repeating: 0, count: Int(Self.bits) / 8)
                var length = signature.count
                // EVP_DigestSign reads the message's bounds and writes at most as many bytes as `length` says.
                let done =
                    unsafe EVP_DigestSignInit(digest, nil, EVP_sha256(), nil, key) == 1
                    && EVP_DigestSign(digest, &signature, &length, message, message.count) == 1
                return done ? signature : nil
            }
        }
        guard let signature else { throw .cryptographyFailed }
        return signature
    }

    private static func made() throws(BackendError) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else { throw .cryptographyFailed }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
                && EVP_PKEY_generate(context, &key) == 1
        else { throw .cryptographyFailed }
        defer { unsafe EVP_PKEY_free(key) }
        let length = unsafe i2d_PrivateKey(key, nil)
        guard length > 0 else { throw .cryptographyFailed }
        var der = [UInt8](repeating: 0, count: Int(length))
        let written = unsafe der.withUnsafeMutableBufferPointer { buffer in
            // It writes the length that it has just told, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe i2d_PrivateKey(key, &position)
        }
        guard written == length else { throw .cryptographyFailed }
        return der
    }

    private static func publicNumbers(_ der: borrowing [UInt8]) -> ([UInt8], [UInt8])? {
        unsafe withKey(der) { key in
            guard let modulus = unsafe number("n", of: key), let exponent = unsafe number("e", of: key) else {
                return nil
            }
            return (modulus, exponent)
        }
    }

    private static func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return nil }
        defer { unsafe BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
        // BN_bn2bin writes as many bytes as the number has.
        return unsafe BN_bn2bin(number, &bytes) == bytes.count ? bytes : nil
    }

    /// Lends the parsed key.
    private static func withKey<Value>(_ der: borrowing [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
        let key = unsafe der.withUnsafeBufferPointer { buffer in
            // It reads within the length given, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &position, buffer.count)
        }
        guard let key = unsafe key else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe body(key)
    }
}
