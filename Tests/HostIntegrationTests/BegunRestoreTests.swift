// SPDX-License-Identifier: Apache-2.0

import Backups
import Foundation
import LinuxSystem
import LoginValues
import Provisioning
import Testing

@testable import HostIntegration

/// A restore that is cut off anywhere leaves what was there or what the backup says, never some of each.
@Suite("A restore and where it is cut off") struct BegunRestoreTests {
    let root = FileManager.default.temporaryDirectory.appending(path: "restore-\(UUID().uuidString)").path()
    private var config: String { "\(root)/config" }
    private var state: String { "\(root)/state" }

    private struct Killed: Error {}

    private func clean() { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ path: String, _ text: String) throws {
        try OwnedFile.makeDirectory("\(root)/\(path)".split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" })
        try OwnedFile.replace("\(root)/\(path)", with: Array(text.utf8))
    }

    /// What a kiosk would obey: settings by name, and the identities.
    private func content() -> [String: String] {
        let names = ["config/config.yaml", "config/config.d/a.yaml", "config/config.d/b.yaml", "state/identities"]
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)).map { (name, $0) }
            })
    }

    private let old = [
        "config/config.yaml": "old", "config/config.d/b.yaml": "old", "state/identities": "old",
    ]
    private let new = ["config/config.yaml": "new", "config/config.d/a.yaml": "new", "state/identities": "new"]

    /// Old files in place, new ones laid ready.
    private func stage() throws -> BegunRestore {
        clean()
        for (name, text) in old { try write(name, text) }
        try BegunRestore.makeStage(config)
        try write("config/restore/config.yaml", "new")
        try write("config/restore/config.d/a.yaml", "new")
        try write("state/identities.restored", "new")
        return BegunRestore(
            owner: .current, state: state,
            settings: [
                .move(from: "\(config)/restore/config.yaml", to: "\(config)/config.yaml"),
                .move(from: "\(config)/restore/config.d/a.yaml", to: "\(config)/config.d/a.yaml"),
                .remove("\(config)/config.d/b.yaml"),
            ], own: [.move(from: "\(state)/identities.restored", to: "\(state)/identities")])
    }

    @Test("Killed before every step of it, and the end of it killed again")
    func everyStep() throws {
        defer { clean() }
        var ends = 0
        for last in 0... {
            let begun = try stage()
            var step = 0
            func count(to end: Int) throws {
                guard step < end else { throw Killed() }
                step += 1
            }
            do {
                try begun.commit(in: config) { try count(to: last) }
                try begun.finish(in: config) { try count(to: last) }
                ends += 1
            } catch is Killed {}
            let found = try BegunRestore.find(in: config)
            // Before the note there is nothing to be ended, and what was there counts.
            if found == nil { #expect(content() == (last <= 2 ? old : new), "step \(last)") }
            if let found {
                #expect(found == begun)
                // The start that ends it is killed as well, anywhere.
                for again in 0..<8 {
                    step = 0
                    do { try found.finish(in: config) { try count(to: again) } } catch is Killed {}
                }
                try found.finish(in: config)
                #expect(content() == new, "step \(last)")
            }
            #expect(try BegunRestore.find(in: config) == nil)
            if ends > 0 { break }
        }
        #expect(content() == new && !FileManager.default.fileExists(atPath: "\(config)/restore"))
    }

    @Test("The kiosk's own user ended it, and the note stayed: nothing is done again")
    func theMarkCounts() throws {
        defer { clean() }
        let begun = try stage()
        try begun.commit(in: config)
        let note = try Data(contentsOf: URL(filePath: "\(config)/restore-begun"))
        try begun.finish(in: config)
        try note.write(to: URL(filePath: "\(config)/restore-begun"))
        try write("config/config.d/b.yaml", "later")
        #expect(try BegunRestore.find(in: config) == nil)
        // The next restore is not taken for the end of that one, wherever it is killed.
        for last in 0..<4 {
            let next = try stage()
            try note.write(to: URL(filePath: "\(config)/restore-begun"))
            var step = 0
            try? next.commit(in: config) {
                guard step < last else { throw Killed() }
                step += 1
            }
            #expect(try BegunRestore.find(in: config) == (last < 3 ? nil : next), "step \(last)")
        }
    }

    @Test("A note that another user could have written is not obeyed")
    func foreignNotes() throws {
        defer { clean() }
        try stage().commit(in: config)
        #expect(unsafe chmod("\(config)/restore-begun", 0o666) == 0)
        #expect { try BegunRestore.find(in: config) } throws: { ($0 as? FileFault)?.isExposure == true }
        try Data("{}".utf8).write(to: URL(filePath: "\(config)/restore-begun"))
        #expect(unsafe chmod("\(config)/restore-begun", 0o644) == 0)
        #expect(throws: FileFault.self) { try BegunRestore.find(in: config) }
        #expect(try BegunRestore.find(in: "\(root)/nowhere") == nil)
    }

    @Test func keepsWhatSettingsNameBesideThem() throws {
        defer { clean() }
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
        // Its mode is the file's behind the link, which all may read.
        try write("elsewhere/fleet.key", "secret")
        #expect(unsafe chmod("\(root)/elsewhere/fleet.key", 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: "\(config)/fleet.key", withDestinationPath: "\(root)/elsewhere/fleet.key")
        try FileManager.default.createSymbolicLink(
            atPath: "\(config)/config.d/60-off.yaml", withDestinationPath: "/dev/null")
        let configuration = KioskConfiguration(directory: config, state: state, environment: [:])
        let kept = try KeptFiles(configuration, in: config)
        #expect(
            kept.files.map(\.name) == ["config.yaml", "fleet.key", "hosts", "operator.pub", "50-a.yaml", "60-off.yaml"])
        #expect(kept.leftOut == ["\(root)/elsewhere/ca.pem"])
        #expect(kept.files.map(\.mode) == [0o644, 0o600, 0o640, 0o644, 0o644, 0o644])
        #expect(kept.files.last?.content.count == 0 && kept.files.last?.place == .dropIn)
        #expect(KeptFiles.value(of: "trust-file", in: kept.files) == "\(config)/hosts")
        #expect(KeptFiles.problem(in: kept.files) == nil)
        try KeptFiles.stage(kept.files[2], at: "\(root)/staged", group: getgid())
        #expect(try String(contentsOfFile: "\(root)/staged", encoding: .utf8) == "# hosts\n")
        let mode = try FileManager.default.attributesOfItem(atPath: "\(root)/staged")[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o640)
    }

    @Test func settingsThatThisProgramRefuses() {
        func file(_ place: BackupContent.Place, _ name: String, _ text: String) -> BackupContent.File {
            .init(place, name, mode: 0o644, content: SecretBytes(copying: Array(text.utf8)))
        }
        let unknown = KeptFiles.problem(in: [file(.dropIn, "a.yaml", "no-such-setting: 1\n")])
        #expect(unknown?.contains("no-such-setting") == true)
        #expect(KeptFiles.problem(in: [file(.settings, "trusted", "not a host\n")]) != nil)
        #expect(KeptFiles.problem(in: [file(.settings, "a.token", "no-such-setting: 1\n")]) == nil)
    }

    @Test func aSetupComesBackWithItsKey() throws {
        defer { clean() }
        let place = SetupPlace(keys: "\(root)/keys")
        let signer = try OperatorKey().publicKey
        let setup = Setup(
            madeAt: 7, validUntil: .max, operatorName: "Operator", settings: "screen: {language: de}\n",
            trust: "a.example\n", fleetKey: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        try place.commit(try place.stage(setup, by: signer))
        let number = try KioskKey(file: place.kioskKeyFile).publicKey.number
        let (files, madeAt) = try place.kept()
        #expect(files.map(\.name) == ["settings.yaml", "operator.pub", "trusted", "fleet.key", "kiosk.key"])
        let other = SetupPlace(keys: "\(root)/other")
        try OwnedFile.makeDirectory("\(root)/other")
        try OwnedFile.makeDirectory(state)
        let steps = try other.stage(files, madeAt: madeAt, group: getgid())
        #expect(try other.current() == nil)
        let begun = BegunRestore(owner: .current, state: state, settings: [], own: steps)
        try OwnedFile.makeDirectory(config)
        try begun.commit(in: config)
        try begun.finish(in: config)
        #expect(try other.current()?.madeAt == 7 && other.trustedOperator(configuration: []) == signer)
        #expect(try KioskKey(file: other.kioskKeyFile).publicKey.number == number)
        #expect(try other.kept().files == files)
    }
}
