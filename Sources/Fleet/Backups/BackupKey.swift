// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LoginValues
import Provisioning
import Sealing

/// The key that seals backups: 32 random bytes, which the operator keeps apart from the backups.
///
/// It seals nothing directly: each purpose has a key of its own that is derived from it.
public struct BackupKey: Sendable {
    /// In bytes.
    public static let length = AuthenticatedSeal.keyLength
    static let nameLength = 4

    let seal: AuthenticatedSeal
    /// Distinguishes the key from others, and reveals nothing about it.
    let nameBytes: [UInt8]

    /// - Returns: nil for bytes of another length, or when OpenSSL failed.
    public init?(_ key: SecretBytes) {
        guard key.count == BackupKey.length, let seal = key.derivedKey(for: "login-kiosk backup 1"),
            let name = key.derivedKey(for: "login-kiosk backup name")
        else { return nil }
        self.seal = AuthenticatedSeal(key: seal)
        nameBytes = name.withBytes { name in (0..<BackupKey.nameLength).map { name[$0] } }
    }

    /// Reads the key from a file, which other users may not read.
    public init(file path: String) throws(BackupError) {
        let bytes: SecretBytes
        do throws(ProvisioningError) { bytes = try KeyFile.read(path) } catch { throw BackupError(error) }
        guard let key = BackupKey(bytes) else { throw .cryptography }
        self = key
    }

    /// Reads the key, or makes it if there is no file. If two processes make one at once, both get the same key.
    public static func readOrMake(file path: String) throws(BackupError) -> (key: BackupKey, isNew: Bool) {
        let made: (key: SecretBytes, isNew: Bool)
        do throws(ProvisioningError) { made = try KeyFile.readOrMake(path) } catch { throw BackupError(error) }
        guard let key = BackupKey(made.key) else { throw .cryptography }
        return (key, made.isNew)
    }

    /// For people to distinguish keys, for example `0a1b 2c3d`.
    public var name: String { BackupKey.name(nameBytes) }

    static func name(_ bytes: some Collection<UInt8>) -> String {
        Hexadecimal.text(bytes.prefix(2)) + " " + Hexadecimal.text(bytes.dropFirst(2))
    }
}
