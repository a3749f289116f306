// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import GRDB
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct StateDirectoryTests {
    private static func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private static func load(_ folder: String, _ passphrase: String?) throws -> [UInt8] {
        let secret = try MasterSecretFile.load(
            folder: folder, passphrase: passphrase.map { SecretBytes(Array($0.utf8)) })
        return secret.withBytes { copy(of: $0) }
    }

    @Test func nobodyElseReadsIt() async throws {
        try await withBackend { backend in
            let path = backend.state.path
            for folder in ["", "/dta1", "/dta2"] {
                let permissions = try Self.permissions(path + folder)
                #expect(permissions == 0o700, "\(folder)")
            }
            for file in [
                "/dta1/master", "/dta2/master", "/credentials", "/backend.sqlite", "/backend.sqlite-wal",
                "/backend.sqlite-shm",
            ] {
                let permissions = try Self.permissions(path + file)
                #expect(permissions == 0o600, "\(file)")
            }
        }
    }

    @Test func theTwoMasterSecretsDiffer() throws {
        let state = TemporaryFolder()
        let directory = try StateDirectory(path: state.path)
        let first = try Self.load(directory.folder("dta1"), nil)
        let second = try Self.load(directory.folder("dta2"), nil)
        #expect(first != second)
        #expect(try Self.load(try directory.folder("dta1"), nil) == first)
    }

    @Test func aPassphraseSealsAMasterSecret() throws {
        let state = TemporaryFolder()
        let directory = try StateDirectory(path: state.path)
        let folder = try directory.folder("dta1")
        let secret = try Self.load(folder, "correct horse")
        #expect(try Self.load(folder, "correct horse") == secret)
        #expect(throws: BackendError.wrongPassphrase) { try Self.load(folder, "wrong horse") }
        #expect(throws: BackendError.passphraseNeeded(path: folder + "/master")) { try Self.load(folder, nil) }
        let content = try #require(try StateDirectory.read(folder + "/master"))
        #expect(Data(content).range(of: Data(secret)) == nil)
        // A sealed secret belongs to its D-TA.
        let other = try directory.folder("dta2")
        try StateDirectory.create(other + "/master", content: content)
        #expect(throws: BackendError.wrongPassphrase) { try Self.load(other, "correct horse") }
    }

    @Test func everyFlippedBitIsNoticed() throws {
        let passphrase = SecretBytes(Array("p".utf8))
        let box = try SealedBox.seal([1, 2, 3], passphrase: passphrase, context: "c")
        #expect(try SealedBox.open(box, passphrase: passphrase, context: "c") == [1, 2, 3])
        for position in [0, 20, 29, box.count - 1] {
            var broken = box
            broken[position] ^= 1
            #expect(throws: BackendError.wrongPassphrase) {
                try SealedBox.open(broken, passphrase: passphrase, context: "c")
            }
        }
        #expect(throws: BackendError.wrongPassphrase) {
            try SealedBox.open(Array(box.prefix(43)), passphrase: passphrase, context: "c")
        }
        // A key needs no scrypt, so all bits can be tried.
        let key = SecretBytes([UInt8](repeating: 7, count: 32))
        let keyed = try SealedBox.seal([1, 2, 3], key: key, context: "c")
        #expect(try SealedBox.open(keyed, key: key, context: "c") == [1, 2, 3])
        for bit in 0..<8 * keyed.count {
            var broken = keyed
            broken[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: BackendError.wrongPassphrase, "bit \(bit)") {
                try SealedBox.open(broken, key: key, context: "c")
            }
        }
    }

    @Test func aDamagedMasterSecretIsNotReplaced() throws {
        let state = TemporaryFolder()
        let folder = try StateDirectory(path: state.path).folder("dta1")
        let path = folder + "/master"
        for content in ["", "rubbish", "login-kiosk master secret, plain\nshort"] {
            try? FileManager.default.removeItem(atPath: path)
            try StateDirectory.create(path, content: Array(content.utf8))
            #expect(throws: BackendError.malformedMasterSecret(path: path)) { try Self.load(folder, nil) }
            #expect(try StateDirectory.read(path) == Array(content.utf8))
        }
    }

    @Test func theDatabaseSurvivesPowerCutsAndForgetsWell() async throws {
        let state = TemporaryFolder()
        let database = try BackendDatabase(state: try StateDirectory(path: state.path))
        let settings = try await database.write { database in
            try ["synchronous", "secure_delete"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
        }
        // 2 is FULL.
        #expect(settings == [2, 1])
    }

    @Test func theFirstFileStays() throws {
        let state = TemporaryFolder()
        let directory = try StateDirectory(path: state.path)
        try StateDirectory.create(directory.file("x"), content: [1])
        try StateDirectory.create(directory.file("x"), content: [2])
        #expect(try StateDirectory.read(directory.file("x")) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.path) == ["x"])
    }
}
