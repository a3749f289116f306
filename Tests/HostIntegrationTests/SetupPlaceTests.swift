// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Provisioning
import Testing

@testable import HostIntegration

/// Where a setup lies, and when it counts.
@Suite("The place of a setup") struct SetupPlaceTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)").path()
    private var place: SetupPlace { SetupPlace(keys: "\(folder)/config") }

    private static func setup(
        _ madeAt: UInt64, _ settings: String = "screen: {language: de}\n", trust: String? = "a.example\n",
        fleetKey: UInt8? = 1
    ) -> Setup {
        Setup(
            madeAt: madeAt, validUntil: .max, operatorName: "Operator", settings: settings, trust: trust,
            fleetKey: fleetKey.map { SecretBytes(copying: [UInt8](repeating: $0, count: 32)) })
    }

    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func configuration(staged: SetupPlace.Current? = nil, _ options: [String: String] = [:])
        -> KioskConfiguration
    {
        KioskConfiguration(
            directory: "\(folder)/config", state: "\(folder)/state", environment: [:], options: options, staged: staged)
    }

    private func names(_ path: String = "setup") -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/config/\(path)")) ?? [])
    }

    @Test func countsFromItsCommitOn() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        #expect(try place.current() == nil)
        let staged = try place.stage(Self.setup(7), by: signer)
        // A kill here leaves the kiosk as it was; looked at with it, the settings are those to come.
        #expect(try place.current() == nil && configuration().text("screen.language") == nil)
        #expect(configuration(staged: staged).text("screen.language") == "de")
        try place.commit(staged)
        let read = configuration()
        #expect(try place.current() == staged && read.text("screen.language") == "de" && read.problems.isEmpty)
        #expect(read.setting("trust-file")?.value == "\(folder)/config/setup/7/trusted")
        #expect(read.text("fleet.key-file") == "\(folder)/config/setup/7/fleet.key")
        #expect(read.files == ["\(folder)/config/setup/7/settings.yaml"])
        // What a command is given counts more.
        #expect(configuration(["screen.language": "fr", "trust-file": "/t"]).text("screen.language") == "fr")
        #expect(configuration(["trust-file": "/t"]).text("trust-file") == "/t")
        for name in names("setup/7") {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/config/setup/7/\(name)")
            #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test("What the next one leaves out stays, and the old one goes when the new one counts")
    func next() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        try place.commit(try place.stage(Self.setup(7), by: signer))
        let staged = try place.stage(Self.setup(8, "", trust: nil, fleetKey: nil), by: signer)
        #expect(names() == ["current", "7", "8"])
        #expect(configuration().text("screen.language") == "de")
        try place.commit(staged)
        #expect(names() == ["current", "8"] && configuration().text("screen.language") == nil)
        let trust = try TrustFile(path: "\(folder)/config/setup/8/trusted").services()
        #expect(trust.map(\.description) == ["a.example"])
        let key = FileManager.default.contents(atPath: "\(folder)/config/setup/8/fleet.key")
        #expect(key == Data(repeating: 1, count: 32))
        // One that never came to count goes with the next, its key with it.
        _ = try place.stage(Self.setup(9), by: signer)
        #expect(names().contains("9"))
        place.discardStaged()
        #expect(names() == ["current", "8"])
    }

    @Test(
        arguments: [
            "store: {directory: /x}", "trust-file: /x", "fleet: {key-file: /x}", "audit: {directory: /x}",
            "doors: {a: {command: /bin/sh}}", "doors: {a: {arguments: {x: y}}}", "no-setting: 1", "a", "\u{0}",
            "screen: [",
        ])
    func mayNotSay(_ settings: String) throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        #expect(throws: SetupFailure.self) { try place.stage(Self.setup(7, settings), by: signer) }
        #expect(throws: SetupFailure.self) { try SetupPlace.check(Self.setup(7, settings)) }
        #expect(names().isEmpty)
    }

    @Test func trustListsAreJudged() throws {
        defer { clean() }
        let signer = try OperatorKey().publicKey
        for list in ["a b c", "https://a.example/", String(repeating: "#\n", count: 200_000)] {
            #expect(throws: SetupFailure.self) { try place.stage(Self.setup(7, trust: list), by: signer) }
        }
        #expect(names().isEmpty)
        let services = SetupPlace.services(of: Self.setup(7, trust: "# ours\na.example\nb.example -> c.example\n"))
        #expect(services?.map(\.description) == ["a.example", "b.example -> c.example"])
    }

    @Test("A kiosk obeys whose setup counts, else whom the machine names, and never another for a damaged file")
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
        try place.commit(try place.stage(Self.setup(7), by: first))
        #expect(try place.trustedOperator(configuration: layers) == own)
        for directory in layers { try FileManager.default.removeItem(atPath: "\(directory)/operator.pub") }
        #expect(try place.trustedOperator(configuration: layers) == first)
        try Data("cut off".utf8).write(to: URL(filePath: "\(folder)/config/setup/7/operator.pub"))
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: layers) }
        // Another user could have changed it.
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: "\(folder)/config/setup/7/operator.pub")
        #expect(throws: SetupFailure.self) { try place.trustedOperator(configuration: layers) }
    }

    @Test(
        "A command of root's does not fail for the directory of a kiosk that was never set up",
        .enabled(if: geteuid() == 0))
    func ofAnotherUser() throws {
        defer { clean() }
        let (keys, stranger) = ("\(folder)/keys", 65_534)
        let place = SetupPlace(keys: keys)
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.ownerAccountID: stranger], ofItemAtPath: keys)
        #expect(try place.current() == nil)
        // One that was is that user's to command.
        try FileManager.default.createDirectory(atPath: "\(keys)/setup", withIntermediateDirectories: true)
        try Data("7".utf8).write(to: URL(filePath: "\(keys)/setup/current"))
        #expect(throws: FileFault.self) { try place.current() }
    }

    @Test(arguments: ["", "x", "-7", "7\n7", String(repeating: "9", count: 30)])
    func aDamagedPointerIsToldAndNoSetup(_ content: String) throws {
        defer { clean() }
        try place.commit(try place.stage(Self.setup(7), by: try OperatorKey().publicKey))
        try Data(content.utf8).write(to: URL(filePath: "\(folder)/config/setup/current"))
        #expect(throws: FileFault.self) { try place.current() }
        #expect(!configuration().problems.isEmpty)
        // What counted may be the one that lies there.
        place.discardStaged()
        #expect(names() == ["current", "7"])
    }
}
