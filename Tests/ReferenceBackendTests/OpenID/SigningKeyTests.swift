// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Testing

@testable import ReferenceBackend
@testable import WebTokens

@Suite struct SigningKeyTests {
    /// Earlier versions made the key with libcrypto: RSAPrivateKey of RFC 8017, or a wrapped one.
    @Test func aKeyOfLibcryptoIsRead() throws {
        let made = try Self.made(bits: 2048)
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        try StateDirectory.create(state.file("signing-key"), content: made.der)
        let key = try SigningKey(state: state)
        #expect(key.modulus == made.modulus && key.exponent == [1, 0, 1])
        #expect(try StateDirectory.read(state.file("signing-key")) == made.der)
    }

    @Test func aShortKeyIsRefused() throws {
        let folder = TemporaryFolder()
        let state = try StateDirectory(path: folder.path)
        try StateDirectory.create(state.file("signing-key"), content: try Self.made(bits: 1024).der)
        #expect(throws: BackendError.self) { try SigningKey(state: state) }
    }

    /// What libcrypto makes: the private key as it writes it, and the modulus.
    private static func made(bits: Int32) throws -> (der: [UInt8], modulus: [UInt8]) {
        // The handles are made, used and freed here.
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        let isMade =
            unsafe EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
            && EVP_PKEY_generate(context, &key) == 1
        try #require(isMade)
        defer { unsafe EVP_PKEY_free(key) }
        var der = [UInt8](repeating: 0, count: Int(unsafe i2d_PrivateKey(key, nil)))
        _ = unsafe der.withUnsafeMutableBufferPointer { buffer in
            // It writes the length that it has just told, and moves a copy of the pointer.
            var position = buffer.baseAddress
            return unsafe i2d_PrivateKey(key, &position)
        }
        var number: OpaquePointer?
        _ = unsafe EVP_PKEY_get_bn_param(key, "n", &number)
        defer { unsafe BN_free(number) }
        var modulus = [UInt8](repeating: 0, count: Int(bits) / 8)
        // It writes as many bytes as it is told that there are.
        let count = unsafe BN_bn2binpad(number, &modulus, Int32(modulus.count))
        try #require(Int(count) == modulus.count)
        return (der, modulus)
    }
}
