// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import LoginValues

/// Seals bytes with AES-256-GCM: `version (1) || nonce (12, random) || ciphertext || tag (16)`.
///
/// A context, which is authenticated and not stored, ties sealed bytes to their place: moved elsewhere they do not
/// open. Version 1 did not tie a record to its number. Random nonces are safe for 2^32 seals under one key (NIST SP
/// 800-38D, 8.3); a kiosk writes a few a login.
struct RecordSeal: Sendable {
    static let versions: ClosedRange<UInt8> = 1...2
    static let overhead = 1 + nonceLength + tagLength
    private static let nonceLength = 12
    private static let tagLength = 16

    private let key: SecretBytes
    let version: UInt8

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - version: what is sealed and opened; another one only to read what an earlier program wrote.
    init(key: SecretBytes, version: UInt8 = versions.upperBound) {
        self.key = key
        self.version = version
    }

    /// - Returns: nil when OpenSSL could not do it (no memory, no random numbers).
    func seal(_ plain: SecretBytes, context: SealContext) -> [UInt8]? {
        var sealed = [UInt8](repeating: 0, count: plain.count + RecordSeal.overhead)
        sealed[0] = version
        let context = authenticated(context)
        let isSealed = unsafe sealed.withUnsafeMutableBytes { sealed -> Bool in
            // Safe: the three parts lie within the bytes that were just made for them.
            guard let start = sealed.baseAddress else { return false }
            let nonce = unsafe start + 1
            let text = unsafe nonce + RecordSeal.nonceLength
            let tag = unsafe text + plain.count
            guard unsafe RAND_bytes(nonce, Int32(RecordSeal.nonceLength)) == 1 else { return false }
            return plain.withBytes { plain in
                unsafe plain.withUnsafeBytes { plain in
                    unsafe withCipher(encrypting: true, nonce: nonce, context: context) { cipher in
                        var count: Int32 = 0
                        return unsafe EVP_EncryptUpdate(cipher, text, &count, plain.baseAddress, Int32(plain.count))
                            == 1
                            && EVP_EncryptFinal_ex(cipher, tag, &count) == 1
                            && EVP_CIPHER_CTX_ctrl(
                                cipher, EVP_CTRL_AEAD_GET_TAG, Int32(RecordSeal.tagLength), tag) == 1
                    }
                }
            }
        }
        return isSealed ? sealed : nil
    }

    /// - Returns: nil when the bytes are not what was sealed with this key and context.
    func open(_ sealed: [UInt8], context: SealContext) -> SecretBytes? {
        guard sealed.count >= RecordSeal.overhead, sealed[0] == version else { return nil }
        let context = authenticated(context)
        do throws(NotWhatWasSealed) {
            return try SecretBytes(count: sealed.count - RecordSeal.overhead) { plain throws(NotWhatWasSealed) in
                let isGenuine = unsafe plain.withUnsafeMutableBytes { plain in
                    unsafe sealed.withUnsafeBytes { sealed in
                        unsafe decrypt(sealed, into: plain, context: context)
                    }
                }
                guard isGenuine else { throw NotWhatWasSealed() }
            }
        } catch { return nil }
    }

    private func authenticated(_ context: SealContext) -> [UInt8] { [version, context.purpose] + context.place }

    private struct NotWhatWasSealed: Error {}

    @unsafe private func decrypt(
        _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, context: [UInt8]
    ) -> Bool {
        guard let start = sealed.baseAddress else { return false }
        // Safe: the caller made sure that the three parts are there.
        let nonce = unsafe start + 1
        let text = unsafe nonce + RecordSeal.nonceLength
        // OpenSSL reads the tag through a pointer that is not const.
        let tag = unsafe UnsafeMutableRawPointer(mutating: text + plain.count)
        return unsafe withCipher(encrypting: false, nonce: nonce, context: context) { cipher in
            var count: Int32 = 0
            return unsafe EVP_DecryptUpdate(cipher, plain.baseAddress, &count, text, Int32(plain.count)) == 1
                && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(RecordSeal.tagLength), tag) == 1
                && EVP_DecryptFinal_ex(cipher, tag, &count) == 1
        }
    }

    /// Lends a cipher that has key, nonce and context; OpenSSL wipes it when it is freed.
    @unsafe private func withCipher(
        encrypting: Bool, nonce: UnsafeRawPointer, context: [UInt8], _ body: (OpaquePointer) -> Bool
    ) -> Bool {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        let isReady = key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe EVP_CipherInit_ex(
                    cipher, EVP_aes_256_gcm(), nil, key.baseAddress, nonce, encrypting ? 1 : 0) == 1
            }
        }
        var count: Int32 = 0
        guard isReady, unsafe EVP_CipherUpdate(cipher, nil, &count, context, Int32(context.count)) == 1 else {
            return false
        }
        return unsafe body(cipher)
    }
}
