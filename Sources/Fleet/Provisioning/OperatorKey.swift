// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

/// The key pair (Ed25519) with which an operator signs profiles. It is on the operator's machine and on no kiosk.
public struct OperatorKey: Sendable {
    let key: SecretBytes
    public let publicKey: OperatorPublicKey

    init(_ key: SecretBytes) throws(ProvisioningError) {
        guard let bytes = CurveKey.ed25519.publicKey(of: key) else { throw .cryptography }
        self.key = key
        publicKey = OperatorPublicKey(bytes)
    }

    /// Makes a new key without a file.
    public init() throws(ProvisioningError) {
        guard let key = CurveKey.random() else { throw .cryptography }
        try self.init(key)
    }

    /// Reads the key, or makes it if there is no file. If two processes make one at once, both get the same key.
    ///
    /// - Parameter path: of a file of 32 bytes, 0600.
    public static func readOrMake(file path: String) throws(ProvisioningError) -> (key: OperatorKey, isNew: Bool) {
        let (key, isNew) = try KeyFile.readOrMake(path, makesDirectory: true)
        return (try OperatorKey(key), isNew)
    }

    /// - Parameter path: of a file of 32 bytes, which no other user may read.
    public init(file path: String) throws(ProvisioningError) { try self.init(try KeyFile.read(path)) }
}

/// The public key by which a kiosk knows its operator. It is not a secret, but a person who can change it on a kiosk
/// becomes its operator.
public struct OperatorPublicKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number for people to compare with the operator's.
    public var number: KeyNumber { KeyNumber(of: bytes, for: "login-kiosk operator number 1") }

    private static let scheme = "LOGIN-KIOSK-OPERATOR:1:"

    /// The key as text, for files and command lines: the scheme, then 64 hexadecimal digits.
    public var text: String { OperatorPublicKey.scheme + Hexadecimal.capitalText(bytes) }

    /// - Returns: nil for anything that ``text`` cannot be; small letters are accepted too.
    public init?(text: some StringProtocol) {
        let text = text.uppercased()
        guard text.hasPrefix(OperatorPublicKey.scheme),
            let bytes = Hexadecimal.bytes(text.dropFirst(OperatorPublicKey.scheme.count)),
            bytes.count == CurveKey.length
        else { return nil }
        self.bytes = bytes
    }
}
