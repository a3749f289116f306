// SPDX-License-Identifier: Apache-2.0

import LoginValues

/// The key pair (Ed25519) with which an operator signs setups. It lies on the operator's machine and on no kiosk.
public struct OperatorKey: Sendable {
    let key: SecretBytes
    public let publicKey: OperatorPublicKey

    init(_ key: SecretBytes) throws(ProvisioningError) {
        guard let bytes = CurveKey.ed25519.publicKey(of: key) else { throw .cryptography }
        self.key = key
        publicKey = OperatorPublicKey(bytes)
    }

    /// A new one, kept nowhere yet.
    public init() throws(ProvisioningError) {
        guard let key = CurveKey.random() else { throw .cryptography }
        try self.init(key)
    }

    /// The key in a file, which is made when there is none. Two processes that make one at once have the same key.
    ///
    /// - Parameter path: of a file of 32 bytes, 0600.
    public static func readOrMake(file path: String) throws(ProvisioningError) -> (key: OperatorKey, isNew: Bool) {
        let (key, isNew) = try KeyFile.readOrMake(path)
        return (try OperatorKey(key), isNew)
    }

    /// - Parameter path: of a file of 32 bytes, which no other user may read.
    public init(file path: String) throws(ProvisioningError) { try self.init(try KeyFile.read(path)) }
}

/// By what a kiosk knows its operator. It is no secret, but a person who can change it on a kiosk is its operator.
public struct OperatorPublicKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// For a person to compare with what the operator said.
    public var number: KeyNumber { KeyNumber(of: bytes, for: "login-kiosk operator number 1") }

    private static let scheme = "LOGIN-KIOSK-OPERATOR:1:"

    /// The key as text, for files and command lines: the scheme, then 64 hexadecimal digits.
    public var text: String { OperatorPublicKey.scheme + Hexadecimal.text(bytes) }

    /// - Returns: nil for what ``text`` never is; small letters are taken, too.
    public init?(text: some StringProtocol) {
        let text = text.uppercased()
        guard text.hasPrefix(OperatorPublicKey.scheme),
            let bytes = Hexadecimal.bytes(text.dropFirst(OperatorPublicKey.scheme.count)),
            bytes.count == CurveKey.length
        else { return nil }
        self.bytes = bytes
    }
}
