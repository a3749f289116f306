// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Encoding
import LoginValues

/// Curve25519 for key agreement and signatures (RFC 7748, RFC 8032), by libcrypto. All keys have 32 bytes; a private
/// one may be any 32.
enum CurveKey {
    case ed25519, x25519

    static let length = 32
    static let signatureLength = 64

    private var kind: Int32 { self == .ed25519 ? EVP_PKEY_ED25519 : EVP_PKEY_X25519 }

    /// - Returns: nil when OpenSSL failed (no memory, no random numbers).
    static func random() -> SecretBytes? {
        unsafe SecretBytes(filling: length) { unsafe RAND_priv_bytes($0.baseAddress, Int32($0.count)) == 1 }
    }

    func publicKey(of key: SecretBytes) -> [UInt8]? {
        guard let key = unsafe privateKey(key) else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        var bytes = [UInt8](repeating: 0, count: CurveKey.length)
        var count = bytes.count
        guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == CurveKey.length else { return nil }
        return bytes
    }

    /// Signs with Ed25519.
    static func signature(of message: [UInt8], by key: SecretBytes) -> [UInt8]? {
        guard let key = unsafe ed25519.privateKey(key) else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: signatureLength)
        var count = signature.count
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signatureLength
        else { return nil }
        return signature
    }

    /// Whether the owner of an Ed25519 key signed the message.
    static func isSignature(_ signature: [UInt8], of message: [UInt8], by key: [UInt8]) -> Bool {
        guard signature.count == signatureLength, let key = unsafe ed25519.publicKey(key) else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The secret shared by both ends of an X25519 exchange, from which keys are derived.
    ///
    /// - Returns: nil also for a public key of small order, which would reveal the result to everyone.
    static func agreement(of key: SecretBytes, with other: [UInt8]) -> SecretBytes? {
        guard let key = unsafe x25519.privateKey(key) else { return nil }
        defer { unsafe EVP_PKEY_free(key) }
        guard let other = unsafe x25519.publicKey(other) else { return nil }
        defer { unsafe EVP_PKEY_free(other) }
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1, unsafe EVP_PKEY_derive_set_peer(context, other) == 1 else {
            return nil
        }
        return unsafe SecretBytes(filling: length) { secret in
            var count = secret.count
            return unsafe EVP_PKEY_derive(
                context, secret.assumingMemoryBound(to: UInt8.self).baseAddress, &count) == 1 && count == length
        }
    }

    /// - Returns: a key that the caller frees.
    @unsafe private func privateKey(_ key: SecretBytes) -> OpaquePointer? {
        guard key.count == CurveKey.length else { return nil }
        return unsafe key.withUnsafeBytes { key in
            unsafe EVP_PKEY_new_raw_private_key(
                kind, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, key.count)
        }
    }

    /// - Returns: a key that the caller frees.
    @unsafe private func publicKey(_ key: [UInt8]) -> OpaquePointer? {
        guard key.count == CurveKey.length else { return nil }
        return unsafe EVP_PKEY_new_raw_public_key(kind, nil, key, key.count)
    }
}
