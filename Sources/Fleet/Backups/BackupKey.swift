// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Encoding
import LinuxSystem
public import LoginValues
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
        guard key.count == BackupKey.length, let pieces = key.derivedKey(for: "login-kiosk backup 1"),
            let name = key.derivedKey(for: "login-kiosk backup name")
        else { return nil }
        seal = AuthenticatedSeal(key: pieces)
        nameBytes = name.withBytes { name in (0..<BackupKey.nameLength).map { name[$0] } }
    }

    /// Reads the key from a file, which other users may not read.
    public init(file path: String) throws(BackupError) {
        var bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, .secret, upTo: BackupKey.length) } catch {
            if case .tooLong = error.cause { throw .notAKey(path: path) }
            throw .keyFile(error)
        }
        defer { wipe(&bytes) }
        guard let key = BackupKey(SecretBytes(copying: bytes)) else { throw .notAKey(path: path) }
        self = key
    }

    /// Reads the key, or makes it if there is no file, 0600, in one step. If two processes make one at once, both get
    /// the same key.
    public static func readOrMake(file path: String) throws(BackupError) -> (key: BackupKey, isNew: Bool) {
        if let key = try find(path) { return (key, false) }
        let lock: FileLock
        do throws(FileFault) { lock = try FileLock(path) } catch { throw .keyFile(error) }
        defer { lock.release() }
        // Another process may have made it meanwhile.
        if let key = try find(path) { return (key, false) }
        return (try make(file: path), true)
    }

    /// - Returns: nil when there is no such file.
    private static func find(_ path: String) throws(BackupError) -> BackupKey? {
        // Swift 6.2 crashes on this as a pattern of the catch.
        do throws(BackupError) { return try BackupKey(file: path) } catch {
            guard case .keyFile(let fault) = error, fault.cause == .missing else { throw error }
            return nil
        }
    }

    private static func make(file path: String) throws(BackupError) -> BackupKey {
        var bytes = [UInt8](repeating: 0, count: length)
        defer { wipe(&bytes) }
        guard unsafe RAND_priv_bytes(&bytes, Int32(length)) == 1 else { throw .cryptography }
        do throws(FileFault) { try OwnedFile.replace(path, with: bytes, mode: 0o600) } catch { throw .keyFile(error) }
        return try BackupKey(file: path)
    }

    /// For people to distinguish keys, for example `0a1b 2c3d`.
    public var name: String { BackupKey.name(nameBytes) }

    static func name(_ bytes: [UInt8]) -> String {
        Hexadecimal.text(bytes.prefix(2)) + " " + Hexadecimal.text(bytes.dropFirst(2))
    }
}
