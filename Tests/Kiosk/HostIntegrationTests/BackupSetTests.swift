// SPDX-License-Identifier: Apache-2.0

import Backups
import Foundation
import LinuxSystem
import LoginValues
import Provisioning
import Testing

@testable import HostIntegration

/// Files that a backup contains, and restoring them.
@Suite("Files of a backup") final class BackupSetTests {
    let root = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)").path()
    private var config: String { "\(root)/config" }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ path: String, _ text: String) throws {
        try OwnedFile.makeDirectory("\(root)/\(path)".split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
        try OwnedFile.replace("\(root)/\(path)", with: Array(text.utf8))
    }

    @Test("Files beside the settings that they name are kept with their modes, others are left out")
    func keepsNamedFiles() throws {
        try write(
            "config/config.yaml",
            """
            trust-file: \(config)/hosts
            store: {key-file: \(config)/identities.key}
            network: {ca-file: \(root)/elsewhere/ca.pem}
            fleet: {key-file: \(config)/fleet.key}

            """)
        for name in ["hosts", "identities.key", "operator.pub", "config.d/50-a.yaml", "config.d/.hidden.yaml", "notes"]
        {
            try write("config/\(name)", "# \(name)\n")
        }
        try write("elsewhere/ca.pem", "pem")
        #expect(unsafe chmod("\(config)/hosts", 0o640) == 0)
        // It has the mode of the file behind the link, which everybody may read.
        try write("elsewhere/fleet.key", "secret")
        #expect(unsafe chmod("\(root)/elsewhere/fleet.key", 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: "\(config)/fleet.key", withDestinationPath: "\(root)/elsewhere/fleet.key")
        try FileManager.default.createSymbolicLink(
            atPath: "\(config)/config.d/60-off.yaml", withDestinationPath: "/dev/null")
        let configuration = KioskConfiguration(directory: config, state: "\(root)/state", environment: [:])
        let kept = try BackupSet(configuration, in: config)
        #expect(
            kept.files.map(\.name) == ["config.yaml", "fleet.key", "hosts", "operator.pub", "50-a.yaml", "60-off.yaml"])
        #expect(kept.leftOut == ["\(root)/elsewhere/ca.pem"])
        #expect(kept.files.map(\.mode) == [0o644, 0o600, 0o640, 0o644, 0o644, 0o644])
        #expect(kept.files.last?.content.count == 0 && kept.files.last?.directory == .dropIn)
        #expect(kept.files.value(of: "trust-file") == "\(config)/hosts")
        #expect(kept.files.settingsProblem == nil)
        try BackupSet.stage(kept.files[2], at: "\(root)/staged", group: getgid())
        #expect(try String(contentsOfFile: "\(root)/staged", encoding: .utf8) == "# hosts\n")
        let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/staged")[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o640)
    }

    @Test func findsInvalidSettings() {
        func file(_ directory: BackupContent.Directory, _ name: String, _ text: String) -> BackupContent.File {
            .init(directory, name, mode: 0o644, content: SecretBytes(copying: Array(text.utf8)))
        }
        let unknown = [file(.dropIn, "a.yaml", "no-such-setting: 1\n")].settingsProblem
        #expect(unknown?.contains("no-such-setting") == true)
        #expect([file(.settings, "trusted", "not a host\n")].settingsProblem != nil)
        #expect([file(.settings, "a.token", "no-such-setting: 1\n")].settingsProblem == nil)
    }

    @Test func restoresAProfileWithItsKey() throws {
        let profileDirectory = ProfileDirectory(keys: "\(root)/keys")
        let signer = try OperatorKey().publicKey
        try profileDirectory.commit(try profileDirectory.stage(ProfileDirectoryTests.profile(7), by: signer))
        let number = try KioskKey(file: profileDirectory.kioskKeyFile).publicKey.number
        let (files, madeAt) = try profileDirectory.kept()
        #expect(files.map(\.name) == ["settings.yaml", "operator.pub", "trusted", "fleet.key", "kiosk.key"])
        let other = ProfileDirectory(keys: "\(root)/other")
        try OwnedFile.makeDirectory("\(root)/other")
        let ready = try other.stage(files, madeAt: madeAt, group: getgid())
        #expect(try other.current() == nil)
        for file in ready { try file.moveIntoPlace() }
        #expect(try other.current()?.madeAt == 7 && other.trustedOperator(configuration: []) == signer)
        #expect(try KioskKey(file: other.kioskKeyFile).publicKey.number == number)
        #expect(try other.kept().files == files)
    }
}
