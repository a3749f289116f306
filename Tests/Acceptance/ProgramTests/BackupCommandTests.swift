// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// A kiosk's card fails, and another becomes that kiosk, with the programs that an operator uses.
@Suite("login-kiosk backup and restore", .fewAtATime)
struct BackupCommandTests {
    let owner: KioskWithUser
    let kiosk: Program
    private var scratch: Scratch { owner.scratch }

    init() async throws {
        owner = try await KioskWithUser()
        kiosk = owner.program
        try await kiosk.run(["backup-key", scratch.path("key")]).expect(0, output: "made: ")
    }

    private var state: String { scratch.path("state") }
    private var config: String { scratch.path("config") }
    private var places: [String] { ["--state", state, "--config", config] }
    private var file: String { scratch.path("kiosk.backup") }
    private var key: [String] { ["--key", scratch.path("key")] }

    private func backup(_ more: String..., to file: String? = nil) async throws -> Program.Run {
        try await kiosk.run(["backup", file ?? self.file] + key + more + places)
    }

    private func restore(_ more: String..., from file: String? = nil) async throws -> Program.Run {
        try await kiosk.run(["restore", file ?? self.file] + key + more + places)
    }

    private func list() async throws -> Program.Run { try await kiosk.run(["identities", "list"] + places) }

    private func delete() async throws {
        try await kiosk.run(["identities", "delete", "--user", KioskWithUser.user, "--yes"] + places).expect(0)
    }

    private func mode(_ path: String) throws -> Int {
        try (FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    private func killTheCard() throws {
        for place in [state, config] { try FileManager.default.removeItem(atPath: place) }
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: "\(config)/\(name)", encoding: .utf8) }

    private func write(_ name: String, _ text: String) throws { try scratch.write(text, to: "config/\(name)") }

    /// Logs in a browser that polls.
    private func logIn(pin: String = KioskWithUser.pin) async throws {
        let client = SiteClient(site: owner.server.base)
        let page = try OperatorPage(try await client.post("/rps/getQrUrl", [:]), .milagro, client)
        let browser = Task { try await page.poll() }
        defer { browser.cancel() }
        try await owner.logIn(String(try #require(page.code.split(separator: "#").last)), pin: pin).expect(
            0, outcome: "loggedIn")
    }

    @Test("Register, back up, lose the card, restore on a new one, log in")
    func theDeadCard() async throws {
        try write("config.d/50-this-door.yaml", "screen: {language: de}\n")
        try await backup().expect(0, output: "(1 identities, 2 files of settings)")
        #expect(try mode(file) == 0o600 && mode(scratch.path("key")) == 0o600)
        let number = try await kiosk.run(["fleet", "number", "--json"] + places).output
        let content = try Data(contentsOf: URL(filePath: file))
        for word in ["alice", "example", "language", "token"] { #expect(content.range(of: Data(word.utf8)) == nil) }

        try killTheCard()
        try await restore("--dry-run").expect(0, output: "restored: alice@example.com")
        #expect(!FileManager.default.fileExists(atPath: state) && !FileManager.default.fileExists(atPath: config))

        try await restore().expect(0, output: "in place: start the kiosk", "logs in with the old one again")
        #expect(text("config.d/50-this-door.yaml") == "screen: {language: de}\n")
        #expect(try await list().output.hasPrefix("alice@example.com 1  "))
        #expect(try await kiosk.run(["fleet", "number", "--json"] + places).output == number)
        try await logIn()
    }

    @Test("A kiosk with people, or with settings that the backup lacks, stays unchanged")
    func whatIsHere() async throws {
        try await backup().expect(0)
        try await kiosk.run(
            ["identities", "change-pin", "--user", KioskWithUser.user, "--allow-loopback-http"] + places,
            input: "\(KioskWithUser.pin)\n580346\n"
        ).expect(0)
        for dryRun in [[], ["--dry-run"]] {
            try await kiosk.run(["restore", file] + key + dryRun + places).expect(
                65, "this kiosk has 1 identities", "login-kiosk reset")
        }
        try await logIn(pin: "580346")

        try await kiosk.run(["key", "rotate"] + places).expect(0)
        try await delete()
        try write("config.d/60-later.yaml", "screen: {language: fr}\n")
        try await restore().expect(65, "config.d/60-later.yaml")
        #expect(try await list().output.hasPrefix("nobody"))
        let identities = try await restore("--only", "identities", "--json")
        #expect(identities.status == 0 && text("config.d/60-later.yaml") != nil, "\(identities)")
        #expect(identities.output.contains(#""restored":[{"backend""#), "\(identities)")
        #expect(try await list().output.hasPrefix("alice@example.com 1  "))
        // With the PIN from the time of the backup.
        try await logIn()
    }

    private static let strace = Program(executable: URL(filePath: "/usr/bin/strace"))
    private static let canTrace =
        (try? strace.runBlocking(["-o", "/dev/null", "/bin/true"]).status) == 0

    /// Makes a kiosk without people, with other settings than the backup.
    private func makeOld() async throws -> Scratch {
        try write("config.yaml", "screen: {language: de}\n")
        try write("config.d/50-plain.yaml", "screen: {plain: true}\n")
        try await backup().expect(0)
        try await delete()
        try write("config.yaml", "screen: {language: fr}\n")
        try FileManager.default.removeItem(atPath: "\(config)/config.d/50-plain.yaml")
        return try Scratch.copy(of: [state, config])
    }

    /// Restores after a kill. The kiosk then has nobody or the whole backup, and can be restored again.
    ///
    /// - Returns: whether the kiosk has the whole backup.
    private func restoreAfterKill(_ round: Int) async throws -> Bool {
        let left = try await list()
        let isWhole = left.output.hasPrefix("alice@example.com")
        #expect(isWhole || left.output.hasPrefix("nobody"), "\(round): \(left)")
        if !isWhole {
            let again = try await restore()
            #expect(again.status == 0, "\(round): \(again)")
            #expect(!FileManager.default.fileExists(atPath: "\(config)/restore"), "round \(round)")
            #expect(try await list().output.hasPrefix("alice@example.com"), "round \(round)")
        }
        #expect(text("config.yaml") == "screen: {language: de}\n", "round \(round)")
        #expect(text("config.d/50-plain.yaml") == "screen: {plain: true}\n", "round \(round)")
        return isWhole
    }

    @Test("Killed at any moment, a kiosk has nobody or the whole backup, and can be restored again")
    func killed() async throws {
        let old = try await makeOld()
        for round in 0..<12 {
            try old.copy(back: [state, config])
            let restore = try ChildProcess(kiosk.executable.path(), ["restore", file] + key + places)
            try await Task.sleep(for: .milliseconds(6 * round))
            restore.kill()
            _ = try await restoreAfterKill(round)
        }
    }

    @Test("Killed before each call that creates, exchanges or removes a name", .enabled(if: canTrace, "needs strace"))
    func killedBeforeEachStep() async throws {
        let old = try await makeOld()
        let calls = "rename,renameat,renameat2,unlink,unlinkat,mkdirat,?mkdir"
        var outcomes: [Bool] = []
        for step in 1..<200 {
            try old.copy(back: [state, config])
            let run = try await Self.strace.run(
                [
                    "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                    "inject=\(calls):error=EIO:signal=KILL:when=\(step)", kiosk.executable.path(), "restore", file,
                ] + key + places)
            guard run.status != 0 else { break }
            outcomes.append(try await restoreAfterKill(step))
        }
        // Once the new state counts it does so for every later kill. Both occurred.
        #expect(outcomes.count > 10 && outcomes.first == false && outcomes.last == true)
        #expect(outcomes == outcomes.sorted { !$0 && $1 }, "\(outcomes)")
    }

    @Test("A newer profile and its operator stay")
    func profilesDoNotGoBack() async throws {
        let owner = try await TestOperator(in: scratch)
        func applyProfile(_ language: String) async throws {
            let number = try await kiosk.run(["fleet", "number"] + places).output
            try await owner.card(
                settings: "screen: {language: \(language)}\n", ["--kiosk", scratch.write(number, to: "number")]
            ).expect(0)
            try await kiosk.run(
                ["fleet", "apply", scratch.path("login-kiosk.profile"), "--from", owner.number] + places
            ).expect(0)
        }
        try await applyProfile("de")
        try await backup().expect(0)
        try await Scratch.nextSecond()
        try await applyProfile("fr")
        try await restore("--only", "settings").expect(0, output: "the operator's profile here stays")
        #expect(try await kiosk.run(["config", "show"] + places).output.contains("fr"))
        // A kiosk with a profile refuses another kiosk's backup.
        try FileManager.default.removeItem(atPath: "\(config)/kiosk.key")
        try await self.restore("--only", "settings").expect(65, "backup of another kiosk", "login-kiosk reset")
        // A new card has none.
        try killTheCard()
        let fresh = try await self.restore()
        #expect(fresh.status == 0 && !fresh.output.contains("stays"), "\(fresh)")
        #expect(try await kiosk.run(["config", "show"] + places).output.contains("/profile/"))
    }

    @Test("Settings that move the identities change nothing on a new card")
    func refusedOnANewCard() async throws {
        try write("config.yaml", "no-such-setting: 1\n")
        try await backup().expect(78)
        try write("config.yaml", "store: {directory: \(state)}\n")
        try await kiosk.run(["backup", file] + key + ["--config", config]).expect(0)
        let other = ["--state", scratch.path("new"), "--config", scratch.path("new-config")]
        try await kiosk.run(["restore", file] + key + other).expect(65, "first the settings")
        for name in ["new", "new-config"] { #expect(!FileManager.default.fileExists(atPath: scratch.path(name))) }
        try await kiosk.run(["restore", file, "--only", "settings"] + key + other).expect(0)
        #expect(FileManager.default.fileExists(atPath: scratch.path("new-config/config.yaml")))
    }

    @Test("A file that is no backup, or is for another key or program, changes nothing")
    func whatIsNoBackup() async throws {
        try await backup().expect(0)
        let good = try Data(contentsOf: URL(filePath: file))
        let before = try Scratch.content(of: [state, config])
        func refuse(_ bytes: Data, _ words: String) async throws {
            try bytes.write(to: scratch.url.appending(path: "bad"))
            try await restore(from: scratch.path("bad")).expect(65, words)
        }
        try await refuse(good.dropLast(), "not whole")
        try await refuse(Data("hello\n".utf8), "not a backup of a kiosk")
        var later = good
        later[19] = UInt8(ascii: "2")
        try await refuse(later, "made by a newer login-kiosk")
        _ = try await kiosk.run(["backup-key", scratch.path("other.key")])
        try await kiosk.run(["restore", file, "--key", scratch.path("other.key")] + places).expect(
            65, "made with the key")
        try await restore(from: scratch.path("nothing")).expect(66)
        #expect(unsafe chmod(scratch.path("key"), 0o644) == 0)
        try await restore().expect(78, "open to other users")
        #expect(try Scratch.content(of: [state, config]) == before)
    }

    @Test("An existing file, a dangling link, a pipe, a terminal")
    func whereItIsWritten() async throws {
        try await backup().expect(0)
        let first = try Data(contentsOf: URL(filePath: file))
        try await backup().expect(73, "--force")
        #expect(try Data(contentsOf: URL(filePath: file)) == first)
        #expect(try await backup("--force", "--json").output.contains(#""identities":1"#))
        #expect(try Data(contentsOf: URL(filePath: file)) != first)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("link"), withDestinationPath: scratch.path("nowhere/at-all"))
        #expect(unsafe mkfifo(scratch.path("pipe"), 0o600) == 0)
        for name in ["link", "pipe"] {
            try await backup("--force", to: scratch.path(name)).expect(73, scratch.path(name))
            try await restore(from: scratch.path(name)).expect(66)
        }
        try await backup("--json", to: "-").expect(64)
    }

    @Test(.enabled(if: FullDisk.canMount, "needs the right to mount a tmpfs"))
    func fullDisks() async throws {
        let disk = try FullDisk(in: scratch)
        let target = "\(disk.path)/kiosk.backup"
        try await backup(to: target).expect(0)
        let first = try Data(contentsOf: URL(filePath: target))
        try disk.fill()
        try await backup("--force", to: target).expect(73, "No space left")
        #expect(try Data(contentsOf: URL(filePath: target)) == first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["filler", "kiosk.backup"])
        // A kiosk on a full card keeps its old state.
        try FileManager.default.removeItem(atPath: "\(disk.path)/filler")
        try await delete()
        try FileManager.default.copyItem(atPath: state, toPath: "\(disk.path)/state")
        try disk.fill()
        let places = ["--state", "\(disk.path)/state", "--config", config]
        try await kiosk.run(["restore", file] + key + places).expect(66)
        try await kiosk.run(["restore", target] + key + places).expect(74, "free some space")
        #expect(!FileManager.default.fileExists(atPath: "\(disk.path)/state/identities.sqlite.restored"))
        #expect(!FileManager.default.fileExists(atPath: "\(config)/restore"))
        #expect(try await kiosk.run(["identities", "list"] + places).output.hasPrefix("nobody"))
    }

    @Test("Beside a running kiosk a backup can be made, but not restored")
    func besideARunningKiosk() async throws {
        let keys = try scratch.write("wait 3600\n", to: "keys")
        let running = try BackgroundProgram(
            "login-kiosk", ["run", "--source", scratch.wall(), "--keys", keys, "--plain"] + places, in: scratch)
        _ = try await running.line(after: "Scan the login")
        try await backup().expect(0)
        try await restore("--dry-run", "--only", "settings").expect(0)
        for part in [[], ["--only", "settings"]] {
            try await kiosk.run(["restore", file] + key + part + places).expect(75, "in use")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(config)/restore"))
        _ = try await running.end()
    }

    private static let canBecomeOthers =
        geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    @Test("Installed, root owns the settings, and the kiosk's user the identities", .enabled(if: canBecomeOthers))
    func installed() async throws {
        let user: UInt32 = 4711
        let keys = scratch.path("keys-of-the-kiosk")
        try FileManager.default.createDirectory(
            atPath: keys, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.moveItem(atPath: "\(config)/identities.key", toPath: "\(keys)/identities.key")
        try FileManager.default.moveItem(
            atPath: "\(config)/identities.key.counter", toPath: "\(keys)/identities.key.counter")
        try write("config.yaml", "store: {key-file: \(keys)/identities.key}\n")
        func own(_ path: String) {
            for name in [""] + (FileManager.default.subpaths(atPath: path) ?? []).map({ "/" + $0 }) {
                #expect(unsafe chown(path + name, user, user) == 0)
            }
        }
        own(state)
        own(keys)
        // With the modes of the package.
        for path in [config, "\(config)/config.d"] { _ = unsafe chmod(path, 0o755) }
        // Root reads that user's files as that user.
        try await backup().expect(0, output: "1 identities")
        try FileManager.default.removeItem(atPath: "\(state)/identities.sqlite")
        try FileManager.default.removeItem(atPath: "\(keys)/identities.key")
        try write("config.yaml", "store: {key-file: \(keys)/identities.key}\nscreen: {plain: true}\n")
        try await restore().expect(0)
        for path in ["\(state)/identities.sqlite", "\(keys)/identities.key", "\(keys)/kiosk.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.ownerAccountID] as? NSNumber)?.uint32Value == user, "\(path)")
        }
        #expect(text("config.yaml")?.contains("plain") == false)

        // That user can restore identities, but not root's settings.
        let setpriv = Program(executable: URL(filePath: "/usr/bin/setpriv"))
        let asUser = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", kiosk.executable.path()]
        for name in ["key", "kiosk.backup"] { own(scratch.path(name)) }
        try await setpriv.run(asUser + ["restore", file] + key + places).expect(77, "--only identities")
        try FileManager.default.removeItem(atPath: "\(state)/identities.sqlite")
        try await setpriv.run(asUser + ["restore", file, "--only", "identities"] + key + places).expect(0)
        let stranger = ["--reuid", "4712", "--regid", "4712", "--clear-groups", kiosk.executable.path()]
        own(scratch.path("key"))
        let other = try await setpriv.run(stranger + ["backup", scratch.path("x")] + key + places)
        #expect(other.status != 0 && !FileManager.default.fileExists(atPath: scratch.path("x")), "\(other)")
    }
}

extension Scratch {
    /// The bytes of every file in some folders.
    static func content(of folders: [String]) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for folder in folders {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                found["\(folder)/\(name)"] = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            }
        }
        return found
    }

    static func copy(of folders: [String]) throws -> Scratch {
        let copy = try Scratch()
        for (index, folder) in folders.enumerated() {
            try FileManager.default.copyItem(atPath: folder, toPath: copy.path("\(index)"))
        }
        return copy
    }

    /// Puts copied folders in place of what they are now.
    func copy(back folders: [String]) throws {
        for (index, folder) in folders.enumerated() {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: path("\(index)"), toPath: folder)
        }
    }
}
