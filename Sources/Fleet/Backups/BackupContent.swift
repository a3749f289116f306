// SPDX-License-Identifier: Apache-2.0

public import LinuxSystem
public import LoginValues

/// Content of a backup. All of it is secret.
public struct BackupContent: Sendable, Equatable {
    /// The directory that a file belongs to. Backups contain the numbers, which never change.
    public enum Directory: UInt8, Sendable {
        /// In the directory of the configuration.
        case settings = 1
        /// In its `config.d`.
        case dropIn = 2
        /// In the folder of the operator's setup.
        case setup = 3
        /// Beside the key that seals the identities.
        case keys = 4
    }

    public struct File: Sendable, Equatable {
        public var directory: Directory
        /// A single component, as in `config.yaml`.
        public var name: String
        /// Permissions of the file (chmod(2)); only its owner may write it.
        public var mode: UInt16
        public var content: SecretBytes

        public init(_ directory: Directory, _ name: String, mode: UInt16, content: SecretBytes) {
            self.directory = directory
            self.name = name
            self.mode = mode
            self.content = content
        }
    }

    public struct Identity: Sendable, Equatable {
        public var userID: String
        public var backend: String
        /// The number by which people choose it at the kiosk.
        public var number: Int
        /// The store's record, unsealed.
        public var record: SecretBytes

        public init(userID: String, backend: String, number: Int, record: SecretBytes) {
            self.userID = userID
            self.backend = backend
            self.number = number
            self.record = record
        }
    }

    /// The store's identities, and its facts about itself.
    public struct Store: Sendable, Equatable {
        public var identities: [Identity]
        /// The highest number that any identity ever had.
        public var highestNumber: Int
        /// The number of changes so far.
        public var generation: Int

        public init(identities: [Identity] = [], highestNumber: Int = 0, generation: Int = 0) {
            self.identities = identities
            self.highestNumber = highestNumber
            self.generation = generation
        }
    }

    public var files: [File]
    /// The date of the operator's setup, in seconds since 1970; nil without one.
    public var setupMadeAt: UInt64?
    /// Nil in a backup without identities, which has not even an empty store.
    public var store: Store?

    public init(files: [File] = [], setupMadeAt: UInt64? = nil, store: Store? = nil) {
        self.files = files
        self.setupMadeAt = setupMadeAt
        self.store = store
    }
}

/// The part of a backup that is readable without its key.
public struct BackupHead: Sendable, Equatable {
    /// In seconds since 1970.
    public var madeAt: UInt64
    /// The kiosk's number, for example `1234 5678 9012 3456`.
    public var kioskNumber: String
    /// Version of the program that wrote it.
    public var programVersion: String

    public init(madeAt: UInt64, kioskNumber: String, programVersion: String) {
        self.madeAt = madeAt
        self.kioskNumber = kioskNumber
        self.programVersion = programVersion
    }
}

/// Why a file is no backup for this key, or none can be made.
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

    public var description: String {
        switch self {
        case .notABackup: "this is no backup of a kiosk"
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
