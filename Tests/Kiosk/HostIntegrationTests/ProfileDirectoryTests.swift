// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import LoginValues
import Provisioning
import Testing

@testable import HostIntegration

/// The location of a profile, and when it counts.
@Suite("The directory of a profile") final class ProfileDirectoryTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "profile-\(UUID().uuidString)").path()
    private var place: ProfileDirectory { ProfileDirectory(keys: "\(folder)/config") }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static func profile(
        _ madeAt: UInt64, _ settings: String = "screen: {language: de}\n", trust: String? = "a.example\n",
        fleetKey: UInt8? = 1
    ) -> KioskProfile {
        KioskProfile(
            madeAt: madeAt, validUntil: .max, operatorName: "Operator", settings: settings, trust: trust,
            fleetKey: fleetKey.map { SecretBytes(copying: [UInt8](repeating: $0, count: 32)) })
    }

    /// Installs a profile.
    private func install(_ madeAt: UInt64, by signer: OperatorPublicKey) throws -> ProfileDirectory.Current {
        let staged = try place.stage(Self.profile(madeAt), by: signer)
        try place.commit(staged)
        place.removeAllButCurrent()
        return staged
    }

    private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    private func configuration(staged: ProfileDirectory.Current? = nil, _ options: [String: String] = [:])
        -> KioskConfiguration
    {
        KioskConfiguration(
            directory: "\(folder)/config", state: "\(folder)/state", environment: [:], options: options, staged: staged)
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/config/profile")) ?? [])
    }

    /// Folders of profiles, whether they count or not.
    private var folders: Set<String> { Set(names.subtracting(["current"]).map { "\(folder)/config/profile/\($0)" }) }

    @Test("A profile counts from its commit on, and is readable by the kiosk only")
    func commits() throws {
        let signer = try OperatorKey().publicKey
        #expect(try place.current() == nil)
        let staged = try place.stage(Self.profile(7), by: signer)
        // After a kill here the kiosk has its old settings. Read with the staged profile, they are the new ones.
        #expect(try place.current() == nil && configuration().text("screen.language") == nil)
        #expect(configuration(staged: staged).text("screen.language") == "de")
        try place.commit(staged)
        let read = configuration()
        #expect(try place.current() == staged && read.text("screen.language") == "de" && read.problems.isEmpty)
        #expect(staged.folder.hasPrefix("\(folder)/config/profile/7-"))
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

    @Test("Settings that the next profile omits keep their value, and the old profile goes when the new one counts")
    func next() throws {
        let signer = try OperatorKey().publicKey
        let first = try install(7, by: signer)
        let staged = try place.stage(Self.profile(8, "", trust: nil, fleetKey: nil), by: signer)
        #expect(folders == [first.folder, staged.folder])
        #expect(configuration().text("screen.language") == "de")
        try place.commit(staged)
        place.removeAllButCurrent()
        #expect(folders == [staged.folder] && configuration().text("screen.language") == nil)
        let trust = try TrustFile(path: staged.trust).services()
        #expect(trust.map(\.description) == ["a.example"])
        #expect(FileManager.default.contents(atPath: staged.fleetKey) == Data(repeating: 1, count: 32))
        // A staged profile that never counted is deleted with the next, including its key.
        let never = try place.stage(Self.profile(9), by: signer)
        #expect(folders == [staged.folder, never.folder])
        place.removeAllButCurrent()
        #expect(folders == [staged.folder])
    }

    @Test(
        "Settings that only the machine may say are refused",
        arguments: [
            "store: {directory: /x}", "trust-file: /x", "fleet: {key-file: /x}", "audit: {directory: /x}",
            "doors: {a: {command: /bin/sh}}", "doors: {a: {arguments: {x: y}}}", "no-setting: 1", "a", "\u{0}",
            "screen: [", "screen: {web-file: /var/lib/login-kiosk-key/kiosk.key, web-port: 8490}",
            "doors: {a: {token-file: /x}}", "keypads: {a: {file: /x}}", "provisioning: {wanted: false}",
            "reset: {keys: 1 2 3 4}",
        ])
    func refusesSettings(_ settings: String) throws {
        let signer = try OperatorKey().publicKey
        #expect(throws: ProfileFailure.self) { try place.stage(Self.profile(7, settings), by: signer) }
        #expect(throws: ProfileFailure.self) { try ProfileDirectory.check(Self.profile(7, settings)) }
        #expect(names.isEmpty)
    }

    @Test func checksTrustLists() throws {
        let signer = try OperatorKey().publicKey
        for list in ["a b c", "https://a.example/", String(repeating: "#\n", count: 200_000)] {
            #expect(throws: ProfileFailure.self) { try place.stage(Self.profile(7, trust: list), by: signer) }
        }
        #expect(names.isEmpty)
        let services = try ProfileDirectory.services(
            of: Self.profile(7, trust: "# ours\na.example\nb.example -> c.example\n"))
        #expect(services?.map(\.description) == ["a.example", "b.example -> c.example"])
    }

    @Test("A kiosk obeys the operator of its profile, otherwise the machine's, and no other because of a damaged file")
    func whomItObeys() throws {
        let layers = ["\(folder)/vendor", "\(folder)/config"]
        #expect(try place.trustedOperator(configuration: layers) == nil)
        let (vendor, own, first) = (
            try OperatorKey().publicKey, try OperatorKey().publicKey, try OperatorKey().publicKey
        )
        for (directory, key) in zip(layers, [vendor, own]) {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try write("\(key.text)\n", to: "\(directory)/operator.pub")
            #expect(try place.trustedOperator(configuration: layers) == key)
        }
        let current = try install(7, by: first)
        #expect(try place.trustedOperator(configuration: layers) == own)
        for directory in layers { try FileManager.default.removeItem(atPath: "\(directory)/operator.pub") }
        #expect(try place.trustedOperator(configuration: layers) == first)
        try write("cut off", to: current.operatorKey)
        #expect(throws: FileFault.self) { try place.trustedOperator(configuration: layers) }
        // Another user could have changed it.
        try write("\(first.text)\n", to: current.operatorKey)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: current.operatorKey)
        #expect(throws: FileFault.self) { try place.trustedOperator(configuration: layers) }
    }

    @Test(
        "Root's commands work for another user's kiosk that was never set up",
        .enabled(if: geteuid() == 0))
    func ofAnotherUser() throws {
        let (keys, stranger) = ("\(folder)/keys", 65_534)
        let place = ProfileDirectory(keys: keys)
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.ownerAccountID: stranger], ofItemAtPath: keys)
        #expect(try place.current() == nil)
        // Once a kiosk was set up, only the user who owns it can command it.
        try FileManager.default.createDirectory(atPath: "\(keys)/profile", withIntermediateDirectories: true)
        try write("7", to: "\(keys)/profile/current")
        #expect(throws: FileFault.self) { try place.current() }
    }

    @Test(
        "A damaged pointer is an error and names no profile, and every folder stays",
        arguments: [
            "", "x", "-7", "7\n7", String(repeating: "9", count: 30), "7-../..", "7-12345678-1", "7 key", "7 ",
            "../7", "7-1234567g",
        ])
    func refusesADamagedPointer(_ content: String) throws {
        let staged = try install(7, by: try OperatorKey().publicKey)
        try write(content, to: "\(folder)/config/profile/current")
        #expect(throws: FileFault.self) { try place.current() }
        #expect(!configuration().problems.isEmpty)
        // The profile that applies may be the staged one.
        place.removeAllButCurrent()
        #expect(folders == [staged.folder])
    }

    @Test("If the current profile is missing, only its operator's next one repairs that")
    func repairsAMissingProfile() throws {
        let ours = try OperatorKey().publicKey
        let staged = try install(7, by: ours)
        try FileManager.default.removeItem(atPath: staged.folder)
        let read = configuration()
        #expect(read.profileProblem?.message.contains("\(staged.folder) is not there") == true)
        #expect(read.problems == [read.profileProblem].compactMap(\.self))
        #expect(read.profileProblem?.message.contains("fleet apply") == true)
        #expect(throws: FileFault.self) { try place.kept() }
        // Deleting the folder admits no other operator, and an older profile does not return.
        #expect(try place.trustedOperator(configuration: []) == ours)
        #expect(try place.current()?.madeAt == 7)
        let next = try install(8, by: ours)
        #expect(configuration().problems.isEmpty && configuration().text("screen.language") == "de")
        #expect(folders == [next.folder])
    }

    @Test("A profile of an earlier version counts as before, and without its folder nobody is the operator")
    func readsAnEarlierPointer() throws {
        let ours = try OperatorKey().publicKey
        let staged = try install(7, by: ours)
        let old = "\(folder)/config/profile/7"
        try FileManager.default.moveItem(atPath: staged.folder, toPath: old)
        try write("7", to: "\(folder)/config/profile/current")
        #expect(configuration().problems.isEmpty && configuration().text("screen.language") == "de")
        #expect(try place.trustedOperator(configuration: []) == ours)
        try FileManager.default.removeItem(atPath: old)
        #expect(throws: FileFault.self) { try place.trustedOperator(configuration: []) }
        #expect(configuration().profileProblem?.message.contains("operator.pub") == true)
    }

    @Test("The pointer and the folder must name the same operator")
    func refusesTwoOperators() throws {
        let staged = try install(7, by: try OperatorKey().publicKey)
        try write("\(try OperatorKey().publicKey.text)\n", to: staged.operatorKey)
        #expect(throws: FileFault.self) { try place.trustedOperator(configuration: []) }
    }

    @Test("Every setting belongs to profiles or only to the machine")
    func everySettingIsDecided() {
        let kioskOnly = [
            "keypads.*.file", "doors.*.command", "doors.*.arguments.*", "doors.*.token-file", "screen.web-file",
            "store.directory", "store.key-file", "fleet.key-file", "provisioning.wanted", "provisioning.folders",
            "reset.keys", "audit.directory", "trust-file",
        ]
        #expect(Set(ConfigurationKey.all.filter { !$0.isInProfiles }.map(\.name)) == Set(kioskOnly))
    }
}
