// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Provisioning
import Testing

@testable import HostIntegration

/// The location of a setup, and when it counts.
@Suite("The directory of a setup") struct SetupDirectoryTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)").path()
    private var place: SetupDirectory { SetupDirectory(keys: "\(folder)/config") }

    private static func setup(
        _ madeAt: UInt64, _ settings: String = "screen: {language: de}\n", trust: String? = "a.example\n",
        fleetKey: UInt8? = 1
    ) -> Setup {
        Setup(
            madeAt: madeAt, validUntil: .max, operatorName: "Operator", settings: settings, trust: trust,
            fleetKey: fleetKey.map { SecretBytes(copying: [UInt8](repeating: $0, count: 32)) })
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func configuration(staged: SetupDirectory.Current? = nil, _ options: [String: String] = [:])
        -> KioskConfiguration
    {
        KioskConfiguration(
            directory: "\(folder)/config", state: "\(folder)/state", environment: [:], options: options, staged: staged)
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/config/setup")) ?? [])
    }

    /// Folders of setups, whether they count or not.
    private var folders: Set<String> { Set(names.subtracting(["current"]).map { "\(folder)/config/setup/\($0)" }) }

    @Test func countsFromItsCommitOn() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        #expect(try place.current() == nil)
        let staged = try place.stage(Self.setup(7), by: signer)
        // After a kill here the kiosk has its old settings. Read with the staged setup, they are the new ones.
        #expect(try place.current() == nil && configuration().text("screen.language") == nil)
        #expect(configuration(staged: staged).text("screen.language") == "de")
        try place.commit(staged)
        let read = configuration()
        #expect(try place.current() == staged && read.text("screen.language") == "de" && read.problems.isEmpty)
        #expect(staged.folder.hasPrefix("\(folder)/config/setup/7-"))
        #expect(read.setting("trust-file")?.value == staged.trust)
        #expect(read.text("fleet.key-file") == staged.fleetKey)
        #expect(read.files == [staged.settings])
        // Options of a command count more.
        #expect(configuration(["screen.language": "fr", "trust-file": "/t"]).text("screen.language") == "fr")
        #expect(configuration(["trust-file": "/t"]).text("trust-file") == "/t")
        for name in try FileManager.default.contentsOfDirectory(atPath: staged.folder) {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(staged.folder)/\(name)")
            #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test("Settings that the next setup omits keep their value, and the old setup goes when the new one counts")
    func next() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        let first = try place.stage(Self.setup(7), by: signer)
        try place.commit(first)
        let staged = try place.stage(Self.setup(8, "", trust: nil, fleetKey: nil), by: signer)
        #expect(folders == [first.folder, staged.folder])
        #expect(configuration().text("screen.language") == "de")
        try place.commit(staged)
        #expect(folders == [staged.folder] && configuration().text("screen.language") == nil)
        let trust = try TrustFile(path: staged.trust).services()
        #expect(trust.map(\.description) == ["a.example"])
        #expect(FileManager.default.contents(atPath: staged.fleetKey) == Data(repeating: 1, count: 32))
        // A staged setup that never counted is deleted with the next, including its key.
        let never = try place.stage(Self.setup(9), by: signer)
        #expect(folders == [staged.folder, never.folder])
        place.discardStaged()
        #expect(folders == [staged.folder])
    }

    @Test(
        arguments: [
            "store: {directory: /x}", "trust-file: /x", "fleet: {key-file: /x}", "audit: {directory: /x}",
            "doors: {a: {command: /bin/sh}}", "doors: {a: {arguments: {x: y}}}", "no-setting: 1", "a", "\u{0}",
            "screen: [", "screen: {web-file: /var/lib/login-kiosk-key/kiosk.key, web-port: 8490}",
            "doors: {a: {token-file: /x}}", "keypads: {a: {file: /x}}", "provisioning: {wanted: false}",
            "reset: {keys: 1 2 3 4}",
        ])
    func mayNotSay(_ settings: String) throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        #expect(throws: SetupFailure.self) { try place.stage(Self.setup(7, settings), by: signer) }
        #expect(throws: SetupFailure.self) { try SetupDirectory.check(Self.setup(7, settings)) }
        #expect(names.isEmpty)
    }

    @Test func trustListsAreJudged() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        for list in ["a b c", "https://a.example/", String(repeating: "#\n", count: 200_000)] {
            #expect(throws: SetupFailure.self) { try place.stage(Self.setup(7, trust: list), by: signer) }
        }
        #expect(names.isEmpty)
        let services = try SetupDirectory.services(
            of: Self.setup(7, trust: "# ours\na.example\nb.example -> c.example\n"))
        #expect(services?.map(\.description) == ["a.example", "b.example -> c.example"])
    }

    @Test("A kiosk obeys the operator of its setup, otherwise the machine's, and no other because of a damaged file")
    func whomItObeys() throws {
        defer { clean() }
        let layers = ["\(folder)/vendor", "\(folder)/config"]
        #expect(try place.trustedOperator(configuration: layers) == nil)
        let (vendor, own, first) = (
            try OperatorKey().publicKey, try OperatorKey().publicKey, try OperatorKey().publicKey
        )
        for (directory, key) in zip(layers, [vendor, own]) {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data("\(key.text)\n".utf8).write(to: URL(filePath: "\(directory)/operator.pub"))
            #expect(try place.trustedOperator(configuration: layers) == key)
        }
        let current = try place.stage(Self.setup(7), by: first)
        try place.commit(current)
        #expect(try place.trustedOperator(configuration: layers) == own)
        for directory in layers { try FileManager.default.removeItem(atPath: "\(directory)/operator.pub") }
        #expect(try place.trustedOperator(configuration: layers) == first)
        try Data("cut off".utf8).write(to: URL(filePath: current.operatorKey))
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: layers) }
        // Another user could have changed it.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: current.operatorKey)
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: layers) }
    }

    @Test(
        "Root's commands work for another user's kiosk that was never set up",
        .enabled(if: geteuid() == 0))
    func ofAnotherUser() throws {
        defer { clean() }
        let (keys, stranger) = ("\(folder)/keys", 65_534)
        let place = SetupDirectory(keys: keys)
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.ownerAccountID: stranger], ofItemAtPath: keys)
        #expect(try place.current() == nil)
        // Once a kiosk was set up, only the user who owns it can command it.
        try FileManager.default.createDirectory(atPath: "\(keys)/setup", withIntermediateDirectories: true)
        try Data("7".utf8).write(to: URL(filePath: "\(keys)/setup/current"))
        #expect(throws: FileFault.self) { try place.current() }
    }

    @Test(
        arguments: [
            "", "x", "-7", "7\n7", String(repeating: "9", count: 30), "7-../..", "7-12345678-1", "7 key", "7 ",
            "../7", "7-1234567g",
        ])
    func aDamagedPointerIsToldAndNoSetup(_ content: String) throws {
        defer { clean() }
        let staged = try place.stage(Self.setup(7), by: try OperatorKey().publicKey)
        try place.commit(staged)
        try Data(content.utf8).write(to: URL(filePath: "\(folder)/config/setup/current"))
        #expect(throws: FileFault.self) { try place.current() }
        #expect(!configuration().problems.isEmpty)
        // The setup that counts may be the staged one.
        place.discardStaged()
        #expect(folders == [staged.folder])
    }

    @Test("If the current setup is missing, only its operator's next one repairs that")
    func aPointerToNothing() throws {
        defer { clean() }
        let (ours, theirs) = (try OperatorKey().publicKey, try OperatorKey().publicKey)
        let staged = try place.stage(Self.setup(7), by: ours)
        try place.commit(staged)
        try FileManager.default.removeItem(atPath: staged.folder)
        let read = configuration()
        #expect(read.setupProblem?.message.contains("\(staged.folder) is not there") == true)
        #expect(read.problems == [read.setupProblem].compactMap(\.self))
        #expect(read.setupProblem?.message.contains("fleet apply") == true)
        #expect(throws: FileFault.self) { try place.kept() }
        // Deleting the folder admits no other operator, and an older setup does not return.
        #expect(try place.trustedOperator(configuration: []) == ours)
        #expect(try place.trustedOperator(configuration: []) != theirs)
        #expect(try place.current()?.madeAt == 7)
        let next = try place.stage(Self.setup(8), by: ours)
        try place.commit(next)
        #expect(configuration().problems.isEmpty && configuration().text("screen.language") == "de")
        #expect(folders == [next.folder])
    }

    @Test("A setup of an earlier version counts as before, and without its folder nobody is the operator")
    func anEarlierPointer() throws {
        defer { clean() }
        let ours = try OperatorKey().publicKey
        let staged = try place.stage(Self.setup(7), by: ours)
        try place.commit(staged)
        let old = "\(folder)/config/setup/7"
        try FileManager.default.moveItem(atPath: staged.folder, toPath: old)
        try Data("7".utf8).write(to: URL(filePath: "\(folder)/config/setup/current"))
        #expect(configuration().problems.isEmpty && configuration().text("screen.language") == "de")
        #expect(try place.trustedOperator(configuration: []) == ours)
        try FileManager.default.removeItem(atPath: old)
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: []) }
        #expect(configuration().setupProblem?.message.contains("operator.pub") == true)
    }

    @Test("The pointer and the folder must name the same operator")
    func twoOperators() throws {
        defer { clean() }
        let staged = try place.stage(Self.setup(7), by: try OperatorKey().publicKey)
        try place.commit(staged)
        try Data("\(try OperatorKey().publicKey.text)\n".utf8).write(to: URL(filePath: staged.operatorKey))
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: []) }
    }

    @Test("Every setting belongs to setups or only to the machine")
    func everySettingIsDecided() {
        let kioskOnly = [
            "keypads.*.file", "doors.*.command", "doors.*.arguments.*", "doors.*.token-file", "screen.web-file",
            "store.directory", "store.key-file", "fleet.key-file", "provisioning.wanted", "provisioning.folders",
            "reset.keys", "audit.directory", "trust-file",
        ]
        #expect(Set(ConfigurationKey.all.filter { !$0.isInSetups }.map(\.name)) == Set(kioskOnly))
    }
}
