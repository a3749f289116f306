// SPDX-License-Identifier: Apache-2.0

import COpenSSL
public import Encoding

/// Seals bytes with AES-256-GCM: `nonce (12, random) || ciphertext || tag (16)`.
///
/// A context, which is authenticated and not sealed, ties the bytes to their use: with another context they do not
/// open. Random nonces are safe for 2^32 seals under one key (NIST SP 800-38D, 8.3).
public struct AuthenticatedSeal: Sendable {
    /// Length of the key in bytes.
    public static let keyLength = 32
    /// The number of bytes that sealing adds.
    public static let overhead = nonceLength + tagLength
    private static let nonceLength = 12
    private static let tagLength = 16

    private let key: SecretBytes

    /// - Parameter key: ``keyLength`` bytes.
    public init(key: SecretBytes) { self.key = key }

    /// - Returns: nil when OpenSSL failed (no memory, no random numbers).
    public func seal(_ plain: SecretBytes, context: [UInt8]) -> [UInt8]? {
        guard key.count == AuthenticatedSeal.keyLength else { return nil }
        var sealed = [UInt8](repeating: 0, count: plain.count + AuthenticatedSeal.overhead)
        let isSealed = unsafe sealed.withUnsafeMutableBytes { sealed in
            unsafe plain.withUnsafeBytes { plain in unsafe encrypt(plain, into: sealed, context: context) }
        }
        return isSealed ? sealed : nil
    }

    /// - Returns: nil when the bytes were not sealed with this key and context.
    public func open(_ sealed: ArraySlice<UInt8>, context: [UInt8]) -> SecretBytes? {
        guard key.count == AuthenticatedSeal.keyLength, sealed.count >= AuthenticatedSeal.overhead else { return nil }
        return unsafe SecretBytes(filling: sealed.count - AuthenticatedSeal.overhead) { plain in
            unsafe sealed.withUnsafeBytes { sealed in unsafe decrypt(sealed, into: plain, context: context) }
        }
    }

    @unsafe private func encrypt(
        _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer, context: [UInt8]
    ) -> Bool {
        // Safe: the three parts are within the bytes that the caller allocated for them.
        guard let nonce = sealed.baseAddress else { return false }
        let text = unsafe nonce + AuthenticatedSeal.nonceLength
        let tag = unsafe text + plain.count
        guard unsafe RAND_bytes(nonce, Int32(AuthenticatedSeal.nonceLength)) == 1 else { return false }
        return unsafe withCipher(encrypting: true, nonce: nonce, context: context) { cipher in
            var count: Int32 = 0
            return unsafe EVP_EncryptUpdate(cipher, text, &count, plain.baseAddress, Int32(plain.count)) == 1
                && EVP_EncryptFinal_ex(cipher, tag, &count) == 1
                && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(AuthenticatedSeal.tagLength), tag) == 1
        }
    }

    @unsafe private func decrypt(
        _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, context: [UInt8]
    ) -> Bool {
        // Safe: the caller checked that the three parts are there.
        guard let nonce = sealed.baseAddress else { return false }
        let text = unsafe nonce + AuthenticatedSeal.nonceLength
        // OpenSSL reads the tag through a pointer that is not const.
        let tag = unsafe UnsafeMutableRawPointer(mutating: text + plain.count)
        return unsafe withCipher(encrypting: false, nonce: nonce, context: context) { cipher in
            var count: Int32 = 0
            return unsafe EVP_DecryptUpdate(cipher, plain.baseAddress, &count, text, Int32(plain.count)) == 1
                && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(AuthenticatedSeal.tagLength), tag) == 1
                && EVP_DecryptFinal_ex(cipher, tag, &count) == 1
        }
    }

    /// Lends a cipher with key, nonce and context. OpenSSL wipes it when it is freed.
    @unsafe private func withCipher(
        encrypting: Bool, nonce: UnsafeRawPointer, context: [UInt8], _ body: (OpaquePointer) -> Bool
    ) -> Bool {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        let isReady = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key.baseAddress, nonce, encrypting ? 1 : 0) == 1
        }
        var count: Int32 = 0
        guard isReady, unsafe EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1 else {
            return false
        }
        return unsafe body(cipher)
    }
}
