// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// The two codes of a browser session: the one in its picture and the one that its page polls with. Both carry when the
/// session ends, encrypted under keys of the storage's processes, so that nothing has to be kept about a session until
/// a device meets it, and a flood of them costs no memory.
///
/// A code is one block of AES-128: 8 random bytes, the end in seconds, 4 bytes of zero. Without the keys it is 128
/// random bits, and neither code says anything about the other. The zeros tell a code from a made-up one.
struct SessionCodes: Sendable {
    struct Pair: Sendable {
        /// In the picture, for the device.
        let accessCode: String
        /// For the page.
        let webOTT: OneTimeToken
    }

    private let accessKey: SecretBytes
    private let webKey: SecretBytes

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) { self.init(key: SecretBytes(try RandomBytes.make(32))) }

    /// - Parameter key: 32 bytes: a half for each of the two codes.
    init(key: SecretBytes) {
        accessKey = SecretBytes(key.withBytes { Array($0[0..<16]) })
        webKey = SecretBytes(key.withBytes { Array($0[16..<32]) })
    }

    /// - Throws: `BackendError.randomnessUnavailable`, `.cryptographyFailed`.
    func makePair(expires: WallTime) throws(BackendError) -> Pair {
        // Rounded up: nothing ends early.
        let end = UInt32(clamping: (expires.milliseconds + 999) / 1000)
        let block =
            try RandomBytes.make(8) + (0..<4).map { UInt8(truncatingIfNeeded: end >> (24 - 8 * $0)) } + [0, 0, 0, 0]
        guard let access = Self.crypt(block, accessKey, isEncrypting: true),
            let web = Self.crypt(block, webKey, isEncrypting: true), let webOTT = OneTimeToken(Hexadecimal.text(web))
        else { throw .cryptographyFailed }
        return Pair(accessCode: Hexadecimal.text(access), webOTT: webOTT)
    }

    /// When the session ends that `accessCode` is the code of; nil for a code that was not made here.
    func expiry(of accessCode: String) -> WallTime? {
        // One spelling alone: sessions are found by it.
        guard let token = OneTimeToken(accessCode), token.hex == accessCode else { return nil }
        return block(token.hex, accessKey).map(Self.expiry)
    }

    /// The code in the picture of the page that polls with `webOTT`; nil for one that was not made here.
    func accessCode(of webOTT: OneTimeToken) -> String? {
        guard let block = block(webOTT.hex, webKey) else { return nil }
        return Self.crypt(block, accessKey, isEncrypting: true).map { Hexadecimal.text($0) }
    }

    private func block(_ code: String, _ key: SecretBytes) -> [UInt8]? {
        guard let bytes = Hexadecimal.bytes(code), let block = Self.crypt(bytes, key, isEncrypting: false),
            block.suffix(4) == [0, 0, 0, 0]
        else { return nil }
        return block
    }

    private static func expiry(in block: [UInt8]) -> WallTime {
        WallTime(seconds: block[8..<12].reduce(0) { $0 << 8 | Int64($1) })
    }

    private static func crypt(_ block: [UInt8], _ key: SecretBytes, isEncrypting: Bool) -> [UInt8]? {
        guard block.count == 16, let cipher = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        // A block more than is written.
        var output = [UInt8](repeating: 0, count: 32)
        var length: Int32 = 0
        let done = key.withBytes { key in
            unsafe EVP_CipherInit_ex(cipher, EVP_aes_128_ecb(), nil, key, nil, isEncrypting ? 1 : 0) == 1
                && EVP_CIPHER_CTX_set_padding(cipher, 0) == 1
                && EVP_CipherUpdate(cipher, &output, &length, block, 16) == 1
        }
        return done && length == 16 ? Array(output.prefix(16)) : nil
    }
}
