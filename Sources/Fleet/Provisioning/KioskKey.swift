// SPDX-License-Identifier: Apache-2.0

import Encoding
import LinuxSystem
import LoginValues

/// A kiosk's own key pair (X25519), made at its first start. Only this kiosk opens profiles sealed to it.
public struct KioskKey: Sendable {
    let key: SecretBytes
    public let publicKey: KioskPublicKey

    init(_ key: SecretBytes) throws(ProvisioningError) {
        guard let bytes = CurveKey.x25519.publicKey(of: key) else { throw .cryptography }
        self.key = key
        publicKey = KioskPublicKey(bytes)
    }

    /// Reads the key, or makes it if there is no file. If two processes make one at once, both get the same key.
    ///
    /// - Parameter path: of a file of 32 bytes, 0600.
    public init(file path: String) throws(ProvisioningError) {
        try self.init(try KeyFile.readOrMake(path, makesDirectory: true).key)
    }
}

/// A kiosk's public key, with which an operator seals a profile for it.
public struct KioskPublicKey: Hashable, Sendable {
    /// The number of bytes that name the key in a profile.
    static let nameLength = 8

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The kiosk's number in its operator's lists, and for reading aloud.
    public var number: KeyNumber { KeyNumber(of: bytes, for: "login-kiosk kiosk number 1") }

    /// Distinguishes it from other kiosks' keys in a profile.
    var name: [UInt8] { Array(KeyDigest.sha256("login-kiosk kiosk name 1", bytes).prefix(KioskPublicKey.nameLength)) }

    private static let scheme = "LOGIN-KIOSK-KEY:1:"

    /// The key as the text of a QR code and for command lines: the scheme, then 64 hexadecimal digits.
    public var text: String { KioskPublicKey.scheme + Hexadecimal.capitalText(bytes) }

    /// - Returns: nil for anything that ``text`` cannot be; small letters are accepted too.
    public init?(text: some StringProtocol) {
        let text = text.uppercased()
        guard text.hasPrefix(KioskPublicKey.scheme),
            let bytes = Hexadecimal.bytes(text.dropFirst(KioskPublicKey.scheme.count)), bytes.count == CurveKey.length
        else { return nil }
        self.bytes = bytes
    }
}
