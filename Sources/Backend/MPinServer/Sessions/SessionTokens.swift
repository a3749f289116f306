// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import COpenSSL
import Encoding
import Sealing

/// The codes of a browser session: the one in its picture, the one that its page polls with, and the one that its page
/// hands to the relying party once the PIN was right. Each contains the session's end, encrypted under keys that the
/// storage's processes share. So nothing is stored about a session until a device uses it, and a flood of sessions
/// costs no memory.
///
/// A code is one block of AES-128: 6 random bytes, the end in seconds, what is known of the page, 2 bytes of zero.
/// Without the keys it is 128 random bits, and no code reveals another. A code is recognised by its zeros, a known kind
/// of network and an end that is near.
package struct SessionTokens: Sendable {
    package struct Pair: Sendable {
        /// The code in the picture, for the device.
        package let accessCode: String
        /// The code for the page.
        package let webOTT: OneTimeToken
    }

    /// The decrypted content of a code.
    package struct Content: Hashable {
        let expires: WallTime
        /// The network of the page.
        var network = NetworkMark.unknown
        /// Whether the page shows a new code when this one expires, unless a device has read it.
        var isChanging = false
    }

    /// The longest lifetime of a session.
    static let longest = Duration.seconds(600)
    /// The time for which an expired code is still recognised.
    private static let remembered = Duration.seconds(3600)

    private static let blockLength = 16
    private static let randomLength = 6
    /// The end's bytes of a block, big-endian.
    private static let endBytes = 6..<10
    /// The byte with the kind of network, and the bit of a page that changes its code.
    private static let kindByte = 10
    private static let changingBit: UInt8 = 0x80
    private static let networkBytes = 11..<14
    private static let zeros: [UInt8] = [0, 0]

    private let accessKey: SecretBytes
    private let webKey: SecretBytes
    private let loginKey: SecretBytes

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) { self.init(key: SecretBytes(try RandomBytes.make(32))) }

    /// - Parameter key: 32 bytes.
    init(key: SecretBytes) {
        accessKey = key.withBytes { SecretBytes(copying: $0.extracting(0..<16)) }
        webKey = key.withBytes { SecretBytes(copying: $0.extracting(16..<32)) }
        loginKey = SecretBytes(Array(Digest.hmacSHA256("logins", key: key).prefix(16)))
    }

    /// - Throws: `BackendError.randomnessUnavailable`, `.cryptographyFailed`.
    func makePair(_ content: Content) throws(BackendError) -> Pair {
        // Rounded up, so that no session ends early.
        let end = UInt32(clamping: content.expires.roundedUp.seconds)
        let kind = content.network.kind.rawValue | (content.isChanging ? Self.changingBit : 0)
        let block =
            try RandomBytes.make(Self.randomLength) + (0..<4).map { UInt8(truncatingIfNeeded: end >> (24 - 8 * $0)) }
            + [kind] + content.network.digest + Self.zeros
        guard let access = Self.crypt(block, accessKey, isEncrypting: true),
            let web = Self.crypt(block, webKey, isEncrypting: true), let webOTT = OneTimeToken(Hexadecimal.text(web))
        else { throw .cryptographyFailed }
        return Pair(accessCode: Hexadecimal.text(access), webOTT: webOTT)
    }

    /// Nil for a code that was made elsewhere or long ago.
    package func content(of accessCode: String, now: WallTime) -> Content? {
        // Only one form is accepted, because sessions are found by it.
        guard let token = OneTimeToken(accessCode), token.hex == accessCode else { return nil }
        guard let content = block(token.hex, accessKey).flatMap(Self.content) else { return nil }
        return content.expires <= now + Self.longest && now < content.expires + Self.remembered ? content : nil
    }

    /// The access code of the page that polls with `webOTT`; nil for one that was made elsewhere.
    func accessCode(of webOTT: OneTimeToken) -> String? {
        recode(webOTT.hex, from: webKey, to: accessKey)
    }

    /// The code in the picture of the page that hands `authOTT` over; nil for one that was not made here.
    func accessCode(ofLogin authOTT: OneTimeToken) -> String? {
        recode(authOTT.hex, from: loginKey, to: accessKey)
    }

    /// The token that the page hands over. The protocol's name for it is also that of the device's token from pass 2.
    func authOTT(of accessCode: String) -> OneTimeToken? {
        recode(accessCode, from: accessKey, to: loginKey).flatMap { OneTimeToken($0) }
    }

    /// The same session's code under another key; nil for a code that was made elsewhere.
    private func recode(_ code: String, from old: SecretBytes, to new: SecretBytes) -> String? {
        guard let block = block(code, old) else { return nil }
        return Self.crypt(block, new, isEncrypting: true).map { Hexadecimal.text($0) }
    }

    private func block(_ code: String, _ key: SecretBytes) -> [UInt8]? {
        guard let bytes = Hexadecimal.bytes(code), let block = Self.crypt(bytes, key, isEncrypting: false),
            Array(block.suffix(Self.zeros.count)) == Self.zeros
        else { return nil }
        return block
    }

    private static func content(in block: [UInt8]) -> Content? {
        NetworkMark.Kind(rawValue: block[kindByte] & ~changingBit).map {
            Content(
                expires: WallTime(seconds: block[endBytes].reduce(0) { $0 << 8 | Int64($1) }),
                network: NetworkMark($0, Array(block[networkBytes])), isChanging: block[kindByte] & changingBit != 0)
        }
    }

    private static func crypt(_ block: [UInt8], _ key: SecretBytes, isEncrypting: Bool) -> [UInt8]? {
        guard block.count == blockLength, let cipher = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        // One block longer than the output.
        var output = [UInt8](repeating: 0, count: 2 * blockLength)
        var length: Int32 = 0
        let done = unsafe key.withUnsafeBytes { key in
            unsafe EVP_CipherInit_ex(cipher, EVP_aes_128_ecb(), nil, key.baseAddress, nil, isEncrypting ? 1 : 0) == 1
                && EVP_CIPHER_CTX_set_padding(cipher, 0) == 1
                && EVP_CipherUpdate(cipher, &output, &length, block, Int32(blockLength)) == 1
        }
        return done && length == blockLength ? Array(output.prefix(blockLength)) : nil
    }
}
