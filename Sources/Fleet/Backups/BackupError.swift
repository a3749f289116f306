// SPDX-License-Identifier: Apache-2.0

public import LinuxSystem
import Provisioning

/// The reason why a file is not a backup for this key, or cannot be made.
public enum BackupError: Error, Sendable, Equatable, CustomStringConvertible {
    case notABackup
    /// A later version of this program wrote it.
    case newerVersion
    /// It is cut off, or not as it was written.
    case damaged
    /// It was sealed with another key.
    case otherKey(used: String, given: String)
    /// The content is too long for a backup.
    case tooLong
    /// OpenSSL failed: no memory, no random numbers.
    case cryptography
    case keyFile(FileFault)
    case notAKey(path: String)

    init(_ error: ProvisioningError) {
        self =
            switch error {
            case .file(let fault): .keyFile(fault)
            case .notAKey(let path): .notAKey(path: path)
            case .cryptography: .cryptography
            }
    }

    public var description: String {
        switch self {
        case .notABackup: "this is not a backup of a kiosk"
        case .newerVersion: "this backup was made by a newer login-kiosk"
        case .damaged: "this backup is not whole: it is cut off, or not what was written"
        case .otherKey(let used, let given): "this backup was made with the key \(used), and \(given) was given"
        case .tooLong: "this is more than a backup may hold"
        case .cryptography: "the system's cryptography failed"
        case .keyFile(let fault): "the backup's key \(fault)"
        case .notAKey(let path): "the backup's key \(path) must be a file of exactly \(BackupKey.length) bytes"
        }
    }

    /// The operator's remedy.
    public var hint: String {
        switch self {
        case .notABackup: "name a file that login-kiosk backup wrote"
        case .newerVersion: "update login-kiosk here first"
        case .damaged: "take another copy of it"
        case .otherKey: "name the file with the other key: --key FILE"
        case .tooLong:
            "a file of settings has at most \(BackupFile.maximumContent / 1024) KiB, a backup "
                + "\(BackupFile.maximumLength >> 20) MiB"
        case .cryptography: "try again; see whether the machine has memory left"
        case .keyFile(let fault): fault.hint
        case .notAKey: "restore the file, or make a new key for new backups: login-kiosk backup-key FILE"
        }
    }
}
