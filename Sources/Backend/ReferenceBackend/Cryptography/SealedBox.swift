// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// AES-256-GCM with a key that scrypt derives from a passphrase. Layout: salt (16), nonce (12), ciphertext, tag (16).
/// With a key of 32 bytes there is no salt.
enum SealedBox {
    private static let saltLength = 16
    private static let nonceLength = 12
    private static let tagLength = 16
    private static let keyLength = 32

    /// - Throws: `BackendError.randomnessUnavailable`, `.cryptographyFailed`.
    static func seal(_ secret: [UInt8], passphrase: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        let salt = try RandomBytes.make(saltLength)
        return salt + (try seal(secret, key: try key(passphrase: passphrase, salt: salt), context: context))
    }

    /// - Throws: `BackendError.randomnessUnavailable`, `.cryptographyFailed`.
    static func seal(_ secret: [UInt8], key: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        let nonce = try RandomBytes.make(nonceLength)
        let (ciphertext, tag) = try crypt(.seal, secret, key: key, nonce: nonce, context: context)
        return nonce + ciphertext + tag
    }

    /// - Throws: `BackendError.wrongPassphrase` when key, context or content do not belong together.
    static func open(_ box: [UInt8], passphrase: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        guard box.count >= saltLength + nonceLength + tagLength else { throw .wrongPassphrase }
        let key = try key(passphrase: passphrase, salt: Array(box.prefix(saltLength)))
        return try open(Array(box.dropFirst(saltLength)), key: key, context: context)
    }

    /// - Throws: `BackendError.wrongPassphrase` when key, context or content do not belong together.
    static func open(_ box: [UInt8], key: SecretBytes, context: String) throws(BackendError) -> [UInt8] {
        guard box.count >= nonceLength + tagLength else { throw .wrongPassphrase }
        let nonce = Array(box.prefix(nonceLength))
        let ciphertext = Array(box.dropFirst(nonceLength).dropLast(tagLength))
        let tag = Array(box.suffix(tagLength))
        return try crypt(.open(tag: tag), ciphertext, key: key, nonce: nonce, context: context).output
    }

    private static func key(passphrase: SecretBytes, salt: [UInt8]) throws(BackendError) -> SecretBytes {
        var key = [UInt8](repeating: 0, count: keyLength)
        // N = 2^15, r = 8, p = 1 takes 32 MiB and about a tenth of a second, once at the start.
        let result = passphrase.withBytes { passphrase in
            // Every pointer is passed with its own buffer's length.
            unsafe passphrase.withUnsafeBytes { passphrase in
                unsafe EVP_PBE_scrypt(
                    passphrase.baseAddress?.assumingMemoryBound(to: CChar.self), passphrase.count, salt, salt.count,
                    1 << 15, 8, 1, 64 << 20, &key, keyLength)
            }
        }
        guard result == 1 else { throw .cryptographyFailed }
        return SecretBytes(key)
    }

    private enum Direction { case seal, open(tag: [UInt8]) }

    private static func crypt(
        _ direction: Direction, _ input: [UInt8], key: SecretBytes, nonce: [UInt8], context: String
    ) throws(BackendError) -> (output: [UInt8], tag: [UInt8]) {
        guard let cipher = unsafe EVP_CIPHER_CTX_new() else { throw .cryptographyFailed }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        let context = Array(context.utf8)
        var output = [UInt8](repeating: 0, count: input.count)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var length: Int32 = 0
        var finalBytes = [UInt8](repeating: 0, count: 16)
        var opens = false
        if case .open(let expected) = direction {
            opens = true
            tag = expected
        }
        // GCM writes as many bytes as it reads and nothing at the end; every buffer is as long as the call needs.
        let done = key.withBytes { key in
            unsafe EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, opens ? 0 : 1) == 1
                && EVP_CipherUpdate(cipher, nil, &length, context, Int32(context.count)) == 1
                && EVP_CipherUpdate(cipher, &output, &length, input, Int32(input.count)) == 1
                && (!opens
                    || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, Int32(tagLength), &tag) == 1)
                && EVP_CipherFinal_ex(cipher, &finalBytes, &length) == 1
                && (opens || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, Int32(tagLength), &tag) == 1)
        }
        guard done else {
            wipe(&output)
            throw opens ? .wrongPassphrase : .cryptographyFailed
        }
        return (output, tag)
    }
}
