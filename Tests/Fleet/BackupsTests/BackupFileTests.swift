// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import MPinClient
import Patience
import SQLiteStore
import Testing

@testable import Backups

/// The bytes of a backup. Reading gives what was written, and refuses everything else.
@Suite("The format of a backup") struct BackupFileTests {
    static func key(_ byte: UInt8 = 7) throws -> BackupKey {
        try #require(BackupKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32))))
    }

    static var content: BackupContent {
        func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
        func identity(_ user: String, _ number: Int, _ record: String) -> StoredIdentity {
            StoredIdentity(
                key: IdentityKey(userID: user, backend: "mpin.example.com"), record: secret(record), number: number)
        }
        return BackupContent(
            madeAt: 1_790_000_000, kioskNumber: "1234 5678 9012 3456", programVersion: "0.2.0",
            files: [
                .init(.settings, "config.yaml", mode: 0o644, content: secret("source: camera\n")),
                .init(.dropIn, "50-this door.yaml", mode: 0o644, content: secret("screen: {language: de}\n")),
                .init(.settings, "trusted", mode: 0o644, content: secret("login.example.com\n")),
                .init(.profile, "fleet.key", mode: 0o600, content: secret(String(repeating: "k", count: 32))),
                .init(.keys, "kiosk.key", mode: 0o600, content: secret(String(repeating: "p", count: 32))),
            ], profileMadeAt: 1_780_000_000,
            store: StoreSnapshot(
                identities: [identity("alice@example.com", 1, "token A"), identity("bob@example.com", 4, "")],
                highestNumber: 6, generation: 42))
    }

    static let empty = BackupContent(madeAt: 0, kioskNumber: "", programVersion: "")

    private static func failure(_ bytes: [UInt8], _ key: BackupKey) -> BackupError? {
        do throws(BackupError) {
            _ = try BackupFile.open(bytes, with: key)
            return nil
        } catch { return error }
    }

    @Test func comesBackAsItWas() throws {
        for content in [Self.content, Self.empty] {
            let bytes = try BackupFile.sealed(content, with: Self.key())
            #expect(try BackupFile.open(bytes, with: Self.key()) == content)
        }
    }

    @Test("Without the key nothing can be read")
    func saysNothingWithoutItsKey() throws {
        let bytes = try BackupFile.sealed(Self.content, with: Self.key())
        for secret in ["alice", "example", "token", "config", "camera", "kkkk", "1234", "0.2.0", "17900"] {
            #expect(Data(bytes).range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        guard case .otherKey(let used, let given) = Self.failure(bytes, try Self.key(8)) else {
            Issue.record("another key opens it")
            return
        }
        #expect(try used == Self.key().name && given == Self.key(8).name)
        // Two backups of the same content differ.
        #expect(try bytes != BackupFile.sealed(Self.content, with: Self.key()))
    }

    @Test("The error for a later release's backup differs from that for a damaged one", arguments: ["2", "17", "9999"])
    func laterVersions(version: String) throws {
        var bytes = try BackupFile.sealed(Self.content, with: Self.key())
        bytes.replaceSubrange(19..<20, with: Array(version.utf8))
        #expect(try Self.failure(bytes, Self.key()) == .newerVersion)
        #expect(BackupError.newerVersion.description == "this backup was made by a newer login-kiosk")
    }

    /// A backup as an earlier build of this version made it, which every later one must open. One of its parts is the
    /// form of identities, which personal cards have, too.
    @Test func theFirstFormIsStillRead() throws {
        let folder = try #require(Bundle.module.url(forResource: "Recorded", withExtension: nil))
        let key = try Data(contentsOf: folder.appending(path: "version-1.key"))
        let bytes = try Data(contentsOf: folder.appending(path: "version-1.backup"))
        let opened = try BackupFile.open(Array(bytes), with: try #require(BackupKey(SecretBytes(copying: Array(key)))))
        #expect(opened == Self.content)
    }

    @Test func everyCutAndEveryFlippedBitIsFound() throws {
        let key = try Self.key()
        let bytes = try BackupFile.sealed(Self.content, with: key)
        for length in bytes.indices { #expect(Self.failure(Array(bytes.prefix(length)), key) != nil, "\(length)") }
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                #expect(Self.failure(changed, key) != nil, "byte \(index), bit \(bit)")
            }
        }
        #expect(Self.failure(bytes + [0], key) == .damaged)
    }

    @Test("Other input is refused, within bounded memory")
    func fuzz() throws {
        let key = try Self.key()
        let good = try BackupFile.sealed(Self.content, with: key)
        for seed in 0..<3_000 {
            var random = SplitMix64(seed: UInt64(seed))
            var bytes = good
            if seed % 3 == 0 {
                let count = Int.random(in: 0...200, using: &random)
                bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            bytes = bytes.damaged(using: &random)
            if bytes != good { #expect(Self.failure(bytes, key) != nil, "seed \(seed)") }
        }
    }

    @Test("Content of any bytes behind the seal is refused, or read as it is written")
    func fuzzBehindTheSeal() throws {
        let good = try Self.content.encoded(upTo: .max).withBytes { bytes in bytes.indices.map { bytes[$0] } }
        var read = 0
        for seed in 0..<3_000 {
            var random = SplitMix64(seed: UInt64(seed))
            let bytes = good.damaged(1...3, using: &random)
            guard let content = BackupContent(SecretBytes(copying: bytes)) else { continue }
            read += 1
            #expect(try BackupContent(content.encoded(upTo: .max)) == content, "seed \(seed)")
        }
        #expect(read > 0)
    }

    @Test("Sealed content that is no backup's is refused as well")
    func names() throws {
        var changes: [(inout BackupContent) -> Void] = [
            { $0.files[0].mode = 0o4755 }, { $0.files.append($0.files[0]) }, { $0.store.highestNumber = 3 },
        ]
        for name in ["", "..", ".hidden", "a/b", "/etc/passwd", "a\n", String(repeating: "a", count: 201)] {
            changes.append { $0.files = [.init(.settings, name, mode: 0o644, content: SecretBytes(copying: []))] }
        }
        for (index, change) in changes.enumerated() {
            var content = Self.content
            change(&content)
            let bytes = try BackupFile.sealed(content, with: Self.key())
            #expect(try Self.failure(bytes, Self.key()) == .damaged, "\(index)")
        }
    }

    @Test func isBounded() throws {
        var content = Self.empty
        let large = SecretBytes(count: BackupFile.maximumContent + 1) { _ in }
        content.files = [.init(.settings, "a", mode: 0o644, content: large)]
        #expect(throws: BackupError.tooLong) { try BackupFile.sealed(content, with: Self.key()) }
        let most = SecretBytes(count: BackupFile.maximumContent) { _ in }
        content.files = (0..<BackupFile.maximumLength / BackupFile.maximumContent).map {
            .init(.settings, "\($0)", mode: 0o644, content: most)
        }
        #expect(throws: BackupError.tooLong) { try BackupFile.sealed(content, with: Self.key()) }
        let endless = [UInt8](repeating: 0, count: BackupFile.maximumLength + 1)
        #expect(try Self.failure(endless, Self.key()) == .tooLong)
    }

    /// As keys of kiosks: `KeyTests` has what such a file may be. A medium that is not mounted is not made.
    @Test func keysInFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/key"
        let made = try BackupKey.readOrMake(file: path).key
        #expect(throws: BackupError.self) { try BackupKey.readOrMake(file: "\(folder)/not-mounted/key") }
        #expect(try BackupKey(file: path).name == made.name)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect { try BackupKey(file: path) } throws: { "\($0)".contains("open to other users") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try Data(count: 33).write(to: URL(filePath: path))
        #expect(throws: BackupError.notAKey(path: path)) { try BackupKey(file: path) }
    }
}
