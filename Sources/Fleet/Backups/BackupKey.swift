// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import LinuxSystem
public import LoginValues
import Sealing

/// The key that backups are sealed with: 32 random bytes, which the operator keeps elsewhere than the backups.
///
/// Nothing is sealed with it directly; each purpose has a key of its own that is made from it.
public struct BackupKey: Sendable {
    /// In bytes.
    public static let length = AuthenticatedSeal.keyLength
    static let nameLength = 4

    let seal: AuthenticatedSeal
    /// Tells the key from others, and nothing about it.
    let nameBytes: [UInt8]

    /// - Returns: nil for bytes of another length, or when OpenSSL could not do it.
    public init?(_ key: SecretBytes) {
        guard key.count == BackupKey.length, let pieces = key.derivedKey(for: "login-kiosk backup 1"),
            let name = key.derivedKey(for: "login-kiosk backup name")
        else { return nil }
        seal = AuthenticatedSeal(key: pieces)
        nameBytes = name.withBytes { name in (0..<BackupKey.nameLength).map { name[$0] } }
    }

    /// The key in a file, which other users may not read.
    public init(file path: String) throws(BackupError) {
        var bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(path, .secret, upTo: BackupKey.length) } catch {
            if case .tooLong = error.cause { throw .notAKey(path: path) }
            throw .keyFile(error)
        }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        guard let key = BackupKey(SecretBytes(copying: bytes)) else { throw .notAKey(path: path) }
        self = key
    }

    /// The key in a file, which is made when there is none, 0600, in one step. Two processes that make one at once have
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

    /// - Returns: nil where there is no such file.
    private static func find(_ path: String) throws(BackupError) -> BackupKey? {
        // As a pattern of the catch, Swift 6.2 ends on it.
        do throws(BackupError) { return try BackupKey(file: path) } catch {
            guard case .keyFile(let fault) = error, fault.cause == .missing else { throw error }
            return nil
        }
    }

    private static func make(file path: String) throws(BackupError) -> BackupKey {
        var bytes = [UInt8](repeating: 0, count: length)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        guard unsafe RAND_priv_bytes(&bytes, Int32(length)) == 1 else { throw .cryptography }
        do throws(FileFault) { try OwnedFile.replace(path, with: bytes, mode: 0o600) } catch { throw .keyFile(error) }
        return try BackupKey(file: path)
    }

    /// For a person to tell one key from another, as in `0a1b 2c3d`.
    public var name: String { BackupKey.name(nameBytes) }

    static func name(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.prefix(2).joined() + " " + digits.dropFirst(2).joined()
    }
}
