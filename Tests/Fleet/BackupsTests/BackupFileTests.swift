// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues
import Patience
import Testing

@testable import Backups

/// The bytes of a backup. Reading gives what was written, and refuses everything else.
@Suite("The format of a backup") struct BackupFileTests {
    static func key(_ byte: UInt8 = 7) throws -> BackupKey {
        try #require(BackupKey(SecretBytes(copying: [UInt8](repeating: byte, count: 32))))
    }

    static let head = BackupHead(madeAt: 1_790_000_000, kioskNumber: "1234 5678 9012 3456", programVersion: "0.2.0")

    static var content: BackupContent {
        func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
        return BackupContent(
            files: [
                .init(.settings, "config.yaml", mode: 0o644, content: secret("source: camera\n")),
                .init(.dropIn, "50-this door.yaml", mode: 0o644, content: secret("screen: {language: de}\n")),
                .init(.settings, "trusted", mode: 0o644, content: secret("login.example.com\n")),
                .init(.setup, "fleet.key", mode: 0o600, content: secret(String(repeating: "k", count: 32))),
                .init(.keys, "kiosk.key", mode: 0o600, content: secret(String(repeating: "p", count: 32))),
            ], setupMadeAt: 1_780_000_000,
            store: .init(
                identities: [
                    .init(
                        userID: "alice@example.com", backend: "mpin.example.com", number: 1, record: secret("token A")),
                    .init(userID: "bob@example.com", backend: "mpin.example.com", number: 4, record: secret("")),
                ], highestNumber: 6, generation: 42))
    }

    private static func failure(_ bytes: [UInt8], _ key: BackupKey) -> BackupError? {
        do throws(BackupError) {
            _ = try BackupFile.open(bytes, with: key)
            return nil
        } catch { return error }
    }

    @Test func comesBackAsItWas() throws {
        for content in [Self.content, BackupContent(), BackupContent(store: .init(highestNumber: 3))] {
            let bytes = try BackupFile.sealed(content, Self.head, with: Self.key())
            let opened = try BackupFile.open(bytes, with: Self.key())
            #expect(opened.head == Self.head && opened.content == content)
        }
    }

    @Test("Without the key only time, kiosk and program version can be read")
    func saysNothingWithoutItsKey() throws {
        let bytes = try BackupFile.sealed(Self.content, Self.head, with: Self.key())
        for secret in ["alice", "example", "token", "config", "camera", "kkkk"] {
            #expect(Data(bytes).range(of: Data(secret.utf8)) == nil, "\(secret)")
        }
        guard case .otherKey(let used, let given) = Self.failure(bytes, try Self.key(8)) else {
            Issue.record("another key opens it")
            return
        }
        #expect(try used == Self.key().name && given == Self.key(8).name)
        // Two backups of the same content differ.
        #expect(try bytes != BackupFile.sealed(Self.content, Self.head, with: Self.key()))
    }

    @Test("The error for a later release's backup differs from that for a damaged one", arguments: ["2", "17", "9999"])
    func laterVersions(version: String) throws {
        var bytes = try BackupFile.sealed(Self.content, Self.head, with: Self.key())
        bytes.replaceSubrange(19..<20, with: Array(version.utf8))
        #expect(try Self.failure(bytes, Self.key()) == .newerVersion)
        #expect(BackupError.newerVersion.description == "this backup was made by a newer login-kiosk")
    }

    /// A backup of the first release with backups, which every later one must open.
    @Test func theFirstFormIsStillRead() throws {
        let folder = try #require(Bundle.module.url(forResource: "Recorded", withExtension: nil))
        let key = try Data(contentsOf: folder.appending(path: "version-1.key"))
        let bytes = try Data(contentsOf: folder.appending(path: "version-1.backup"))
        let opened = try BackupFile.open(Array(bytes), with: try #require(BackupKey(SecretBytes(copying: key))))
        #expect(opened.head == Self.head && opened.content == Self.content)
    }

    @Test func everyCutAndEveryChangedByteIsFound() throws {
        let key = try Self.key()
        let bytes = try BackupFile.sealed(Self.content, Self.head, with: key)
        for length in bytes.indices { #expect(Self.failure(Array(bytes.prefix(length)), key) != nil, "\(length)") }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(Self.failure(changed, key) != nil, "\(index)")
        }
        #expect(Self.failure(bytes + [0], key) == .damaged)
    }

    @Test("No piece can be left out, moved, or taken from another backup of the same kiosk and second")
    func piecesStayInTheirPlace() throws {
        let key = try Self.key()
        let one = try pieces(try BackupFile.sealed(Self.content, Self.head, with: key))
        let two = try pieces(try BackupFile.sealed(Self.content, Self.head, with: key))
        for index in one.pieces.indices {
            var without = one.pieces
            without.remove(at: index)
            var moved = one.pieces
            moved.swapAt(index, 0)
            var mixed = one.pieces
            mixed[index] = two.pieces[index]
            for pieces in [without, moved == one.pieces ? [] : moved, mixed] {
                #expect(Self.failure(one.start + pieces.flatMap(\.self), key) == .damaged, "\(index)")
            }
        }
        #expect(Self.failure(two.start + one.pieces.flatMap(\.self), key) == .damaged)
    }

    private func pieces(_ bytes: [UInt8]) throws -> (start: [UInt8], pieces: [[UInt8]]) {
        var next = 21 + 2 + Int(bytes[21]) << 8 + Int(bytes[22])
        let start = Array(bytes[..<next])
        var pieces: [[UInt8]] = []
        while next < bytes.count {
            let length = bytes[next..<next + 4].reduce(0) { $0 << 8 | Int($1) } + 4
            pieces.append(Array(bytes[next..<next + length]))
            next += length
        }
        return (start, pieces)
    }

    @Test("Other input is refused, within bounded memory")
    func fuzz() throws {
        let key = try Self.key()
        let good = try BackupFile.sealed(Self.content, Self.head, with: key)
        for seed in 0..<3_000 {
            var random = SplitMix64(seed: UInt64(seed))
            var bytes = good
            if seed % 3 == 0 {
                let count = Int.random(in: 0...200, using: &random)
                bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            }
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0...4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.removeSubrange(index...)
                case 2: bytes.insert(contentsOf: bytes[..<index], at: index)
                // A length that exceeds any file.
                case 3: bytes.replaceSubrange(index..<min(index + 4, bytes.count), with: [255, 255, 255, 255])
                default: bytes.removeSubrange(index..<min(index + 7, bytes.count))
                }
            }
            if bytes != good { #expect(Self.failure(bytes, key) != nil, "seed \(seed)") }
        }
    }

    @Test("Sealed content that is no backup's is refused as well")
    func names() throws {
        for name in ["", "..", ".hidden", "a/b", "/etc/passwd", "a\n", String(repeating: "a", count: 201)] {
            var content = BackupContent()
            content.files = [.init(.settings, name, mode: 0o644, content: SecretBytes(copying: []))]
            let bytes = try BackupFile.sealed(content, Self.head, with: Self.key())
            #expect(try Self.failure(bytes, Self.key()) == .damaged, "\(name)")
        }
        var content = Self.content
        content.files[0].mode = 0o4755
        #expect(try Self.failure(BackupFile.sealed(content, Self.head, with: Self.key()), Self.key()) == .damaged)
        content = Self.content
        content.files.append(content.files[0])
        #expect(try Self.failure(BackupFile.sealed(content, Self.head, with: Self.key()), Self.key()) == .damaged)
        content = Self.content
        content.store?.highestNumber = 3
        #expect(try Self.failure(BackupFile.sealed(content, Self.head, with: Self.key()), Self.key()) == .damaged)
    }

    @Test func isBounded() throws {
        var content = BackupContent()
        content.files = [
            .init(.settings, "a", mode: 0o644, content: SecretBytes(count: BackupFile.maximumContent + 1) { _ in })
        ]
        #expect(throws: BackupError.tooLong) { try BackupFile.sealed(content, Self.head, with: Self.key()) }
        let endless = [UInt8](repeating: 0, count: BackupFile.maximumLength + 1)
        #expect(try Self.failure(endless, Self.key()) == .tooLong)
    }

    @Test func keysInFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "backup-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/key"
        let made = try BackupKey.readOrMake(file: path).key
        #expect(try BackupKey(file: path).name == made.name)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try Data(contentsOf: URL(filePath: path)).count == 32)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect { try BackupKey(file: path) } throws: { "\($0)".contains("open to other users") }
        try Data(count: 33).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: BackupError.notAKey(path: path)) { try BackupKey(file: path) }
    }
}
