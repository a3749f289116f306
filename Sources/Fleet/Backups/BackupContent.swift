// SPDX-License-Identifier: Apache-2.0

public import Encoding
import MPinClient
import PersonalCards
public import SQLiteStore

/// Content of a backup. All of it is secret.
public struct BackupContent: Sendable, Equatable {
    /// The directory that a file belongs to. Backups contain the numbers, which never change.
    public enum Directory: UInt8, Sendable {
        /// In the directory of the configuration.
        case settings = 1
        /// In its `config.d`.
        case dropIn = 2
        /// In the folder of the operator's profile.
        case profile = 3
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

    /// In seconds since 1970.
    public var madeAt: UInt64
    /// The kiosk's number, for example `1234 5678 9012 3456`.
    public var kioskNumber: String
    /// Version of the program that wrote it.
    public var programVersion: String
    public var files: [File]
    /// The date of the operator's profile, in seconds since 1970; nil without one.
    public var profileMadeAt: UInt64?
    public var store: StoreSnapshot

    public init(
        madeAt: UInt64, kioskNumber: String, programVersion: String, files: [File] = [], profileMadeAt: UInt64? = nil,
        store: StoreSnapshot = StoreSnapshot()
    ) {
        self.madeAt = madeAt
        self.kioskNumber = kioskNumber
        self.programVersion = programVersion
        self.files = files
        self.profileMadeAt = profileMadeAt
        self.store = store
    }
}

// The content before it is sealed: parts, each preceded by its length (4 bytes, big endian). Numbers are decimal texts.
//
//     made at | kiosk's number | program's version | profile made at, or nothing | highest number | generation |
//     number of files | for each: directory | mode | name | content
//     for each identity: number | ``StoredIdentity/inOnePiece()``
extension BackupContent {
    fileprivate static let lengthBytes = 4

    /// - Throws: `tooLong`.
    func encoded(upTo maximum: Int) throws(BackupError) -> SecretBytes {
        var parts: [SecretBytes] = []
        func add(_ values: any CustomStringConvertible...) {
            parts += values.map { SecretBytes(copying: $0.description.utf8) }
        }
        add(madeAt, kioskNumber, programVersion, profileMadeAt.map(String.init) ?? "")
        add(store.highestNumber, store.generation, files.count)
        for file in files {
            guard file.content.count <= BackupFile.maximumContent else { throw .tooLong }
            add(file.directory.rawValue, file.mode, file.name)
            parts.append(file.content)
        }
        for identity in store.identities {
            guard let piece = identity.inOnePiece() else { throw .tooLong }
            add(identity.number ?? 0)
            parts.append(piece)
        }
        guard parts.reduce(0, { $0 + BackupContent.lengthBytes + $1.count }) <= maximum else { throw .tooLong }
        return SecretBytes(joining: parts.flatMap { $0.withLength(in: BackupContent.lengthBytes) })
    }

    /// - Returns: nil for anything that no kiosk writes.
    init?(_ bytes: SecretBytes) {
        var parts = SecretReader(bytes)
        guard let madeAt = parts.number(UInt64.self), let kiosk = parts.text(), let program = parts.text(),
            let profile = parts.text(), profile.isEmpty || UInt64(profile) != nil,
            let highest = parts.number(Int.self), let generation = parts.number(Int.self),
            (0..<1 << 62).contains(highest), (0..<1 << 62).contains(generation),
            let fileCount = parts.number(UInt32.self)
        else { return nil }
        var files: [File] = []
        for _ in 0..<fileCount {
            guard let directory = parts.number(UInt8.self).flatMap(Directory.init),
                let mode = parts.number(UInt16.self),
                mode & ~0o755 == 0, let name = parts.text(), BackupFile.isName(name), let content = parts.part(),
                content.count <= BackupFile.maximumContent
            else { return nil }
            files.append(File(directory, name, mode: mode, content: content))
        }
        var identities: [StoredIdentity] = []
        while !parts.isAtEnd {
            guard let number = parts.number(Int.self), number > 0, number <= highest,
                let identity = parts.part().flatMap({ StoredIdentity(inOnePiece: $0) }),
                identity.record.count <= StoredIdentity.maximumRecordLength
            else { return nil }
            identities.append(StoredIdentity(key: identity.key, record: identity.record, number: number))
        }
        guard Set(files.map { [$0.directory.rawValue] + Array($0.name.utf8) }).count == files.count,
            Set(identities.map(\.key)).count == identities.count
        else { return nil }
        self.init(
            madeAt: madeAt, kioskNumber: kiosk, programVersion: program, files: files, profileMadeAt: UInt64(profile),
            store: StoreSnapshot(identities: identities, highestNumber: highest, generation: generation))
    }
}

extension SecretReader {
    fileprivate mutating func part() -> SecretBytes? { part(BackupContent.lengthBytes) }
    fileprivate mutating func text() -> String? { part()?.text }
    fileprivate mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        text().flatMap { Number($0) }
    }
}
