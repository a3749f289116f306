// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import LoginValues

/// A kiosk's own key pair (X25519), made at its first start. What is sealed to it opens at this kiosk alone.
public struct KioskKey: Sendable {
    let key: SecretBytes
    public let publicKey: KioskPublicKey

    init(_ key: SecretBytes) throws(ProvisioningError) {
        guard let bytes = CurveKey.x25519.publicKey(of: key) else { throw .cryptography }
        self.key = key
        publicKey = KioskPublicKey(bytes)
    }

    /// The key in a file, which is made when there is none. Two processes that make one at once have the same key.
    ///
    /// - Parameter path: of a file of 32 bytes, 0600.
    public init(file path: String) throws(ProvisioningError) {
        try self.init(try KeyFile.readOrMake(path).key)
    }
}

/// The key of a kiosk that an operator needs to seal a setup for it. It is no secret.
public struct KioskPublicKey: Hashable, Sendable {
    /// How many bytes name the key in a setup.
    static let nameLength = 8

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The kiosk's number in its operator's lists, and when it is read aloud.
    public var number: KeyNumber { KeyNumber(of: bytes, for: "login-kiosk kiosk number 1") }

    /// Tells it from other kiosks' keys, within a setup.
    var name: [UInt8] { Array(KeyDigest.sha256("login-kiosk kiosk name 1", bytes).prefix(KioskPublicKey.nameLength)) }

    private static let scheme = "LOGIN-KIOSK-KEY:1:"

    /// The key as the text of a QR code and for command lines: the scheme, then 64 hexadecimal digits.
    public var text: String { KioskPublicKey.scheme + Hexadecimal.text(bytes) }

    /// - Returns: nil for what ``text`` never is; small letters are taken, too.
    public init?(text: some StringProtocol) {
        let text = text.uppercased()
        guard text.hasPrefix(KioskPublicKey.scheme),
            let bytes = Hexadecimal.bytes(text.dropFirst(KioskPublicKey.scheme.count)), bytes.count == CurveKey.length
        else { return nil }
        self.bytes = bytes
    }
}
