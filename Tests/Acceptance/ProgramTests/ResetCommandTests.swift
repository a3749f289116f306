// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// A reset returns the kiosk to its first state, even if it was interrupted anywhere.
@Suite("login-kiosk reset", .fewAtATime)
struct ResetCommandTests {
    let scratch: Scratch
    let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.y4m"))
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
    }

    private var state: String { scratch.path("kiosk") }
    private var config: String { scratch.path("config") }
    private var places: [String] { ["--state", state, "--config", config] }

    private func files(_ folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// The notes of requested resets. An incomplete note still has another name.
    private var notes: Set<String> { files(state).filter { $0.hasPrefix("reset-begun") && !$0.contains(".new-") } }

    private func run() async throws -> Program.Run {
        try await kiosk.run(
            ["run", "--source", scratch.path("a.y4m"), "--keys", scratch.path("keys"), "--plain"] + places)
    }

    /// The entries of the record, whose chain must be complete.
    private func recorded() async throws -> [String] {
        struct Shown: Decodable {
            struct Record: Decodable { let event: String?, outcome: String?, detail: String? }
            let records: [Record], breaches: Int
        }
        let shown = try await kiosk.run(["audit", "show", "--json"] + places)
        let document = try JSONDecoder().decode(Shown.self, from: Data(shown.output.utf8))
        #expect(document.breaches == 0, "\(shown)")
        return document.records.filter { $0.event != nil }
            .map { [$0.event, $0.outcome, $0.detail].compactMap(\.self).joined(separator: " ") }
    }

    /// A record that cannot be written does not prevent a reset, and is reported.
    @Test func aRecordThatCannotBeKept() async throws {
        try await makeKiosk()
        try FileManager.default.removeItem(atPath: "\(state)/audit")
        try Data().write(to: URL(filePath: "\(state)/audit"))
        let reset = try await kiosk.run(["reset", "--yes"] + places)
        #expect(reset.status == 0 && reset.errors.contains("not in the record of sessions"), "\(reset)")
        #expect(!files(config).contains("identities.key"))
        // If no record is wanted none is created.
        try FileManager.default.removeItem(atPath: "\(state)/audit")
        try Data("audit: {record: false}\n".utf8).write(to: URL(filePath: "\(config)/config.yaml"))
        let silent = try await kiosk.run(["reset", "--yes"] + places)
        #expect(silent.status == 0 && silent.errors.isEmpty && !files(state).contains("audit"), "\(silent)")
    }

    /// Makes a kiosk with a store, a trust list and a fleet key.
    private func makeKiosk() async throws {
        _ = try await kiosk.run(["trust", "add", "login.example.com"] + places)
        try Data("fleet: {key-file: \(config)/fleet.key}\n".utf8).write(to: URL(filePath: "\(config)/config.yaml"))
        try Data(count: 32).write(to: URL(filePath: "\(config)/fleet.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(config)/fleet.key")
        let run = try await run()
        #expect(run.status == 0 && run.output.contains("Scan the login QR code"), "\(run)")
        #expect(files(state).contains("identities.sqlite") && files(config).contains("identities.key"))
    }

    @Test func leavesWhatCameWithTheKiosk() async throws {
        try await makeKiosk()
        let reset = try await kiosk.run(["reset", "--yes", "--json"] + places)
        #expect(reset.status == 0 && reset.output.contains(#""reset":true"#), "\(reset)")
        #expect(!files(state).contains { $0.hasPrefix("identities") || $0.hasPrefix("reset") })
        #expect(!files(state).contains("device-tag"))
        // The record of actions stays, and contains the reset.
        #expect(try await recorded() == ["reset begun by command", "reset done by command"])
        #expect(files(config) == ["config.yaml"])
        let run = try await run()
        #expect(run.status == 0 && run.output.contains("No trusted service configured"), "\(run)")
    }

    @Test func keepsSettingsOrDeletesRecords() async throws {
        try await makeKiosk()
        let keeping = try await kiosk.run(["reset", "--yes", "--keep-settings"] + places)
        #expect(keeping.status == 0, "\(keeping)")
        #expect(files(config) == ["config.yaml", "fleet.key", "trusted"])
        #expect(try await recorded().last == "reset done by command, settings kept")
        let deleting = try await kiosk.run(["reset", "--yes", "--delete-records"] + places)
        #expect(deleting.status == 0 && !files(state).contains("audit"), "\(deleting)")
        // Nothing is left to do.
        let again = try await kiosk.run(["reset", "--yes"] + places)
        #expect(again.status == 0, "\(again)")
    }

    @Test func asksFirst() async throws {
        try await makeKiosk()
        let before = files(config)
        for answer in ["no\n", "y\n", ""] {
            let reset = try await kiosk.run(["reset"] + places, input: answer)
            #expect(reset.status == 64 && files(config) == before, "\(reset)")
        }
        #expect(try await kiosk.run(["reset"] + places, input: "yes\n").status == 0)
        #expect(!files(config).contains("identities.key"))
    }

    @Test("A reset is refused while a kiosk runs, and changes nothing")
    func refusesAStoreInUse() async throws {
        try await makeKiosk()
        try Data("wait 3600\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let running = try BackgroundProgram(
            "login-kiosk",
            ["run", "--source", scratch.path("a.y4m"), "--keys", scratch.path("keys"), "--plain"] + places, in: scratch)
        _ = try await running.line(after: "Scan the login")
        let before = (files(config), files(state))
        let reset = try await kiosk.run(["reset", "--yes"] + places)
        #expect(reset.status == 75, "\(reset)")
        // The kiosk continues to create its own files.
        #expect(files(config) == before.0 && files(state).isSuperset(of: before.1) && notes.isEmpty)
        _ = try await running.end()
    }

    @Test("Killed at any moment: with the key everything is there, without it nothing, and the next start finishes")
    func killed() async throws {
        var cutOff = 0
        for round in 0..<12 {
            try? FileManager.default.removeItem(atPath: state)
            try? FileManager.default.removeItem(atPath: config)
            try await makeKiosk()
            let reset = try ChildProcess(kiosk.executable.path(), ["reset", "--yes"] + places)
            try await Task.sleep(for: .milliseconds(4 * round))
            reset.kill()
            let isBegun = !notes.isEmpty
            // Only files listed in the note may be missing.
            if !isBegun, files(state).contains("identities.sqlite") {
                #expect(files(config).isSuperset(of: ["identities.key", "trusted", "fleet.key"]), "round \(round)")
            }
            cutOff += isBegun ? 1 : 0
            if isBegun || !files(config).contains("identities.key") {
                let run = try await run()
                #expect(run.status == 0 && run.output.contains("No trusted service configured"), "\(round): \(run)")
                #expect(notes.isEmpty)
                #expect(files(config).isDisjoint(with: ["trusted", "fleet.key"]))
            }
        }
    }

    /// The states after a kill between two steps: the note, with or without each of the keys.
    @Test(arguments: ["reset-begun", "reset-begun-keeping-settings", "reset-begun-with-records"], [true, false])
    func aStartEndsWhatWasBegun(note: String, hasKey: Bool) async throws {
        try await makeKiosk()
        try Data().write(to: URL(filePath: "\(state)/\(note)"))
        if !hasKey { try FileManager.default.removeItem(atPath: "\(config)/identities.key") }
        let run = try await run()
        #expect(run.status == 0, "\(run)")
        let isRecorded = try await recorded().contains { $0.hasPrefix("reset done by start") }
        #expect(isRecorded != note.contains("records"))
        let words = note.contains("keeping") ? "Scan the login QR code" : "No trusted service configured"
        #expect(run.output.contains(words), "\(run)")
        #expect(!files(state).contains(note))
    }

    @Test("By keys in the first seconds: the kiosk asks twice, then ends to start again")
    func byKeys() async throws {
        try await makeKiosk()
        try Data("reset: {keys: clear 7 4 menu 1 9}\n".utf8).write(to: URL(filePath: "\(config)/config.yaml"))
        try Data("clear\ntype 74\nmenu\ntype 19\nwait 1\nenter\nclear\ntype 74\nmenu\ntype 19\nwait 600\n".utf8)
            .write(to: scratch.url.appending(path: "keys"))
        let reset = try await run()
        #expect(reset.status == 75 && reset.output.contains("Everything is deleted"), "\(reset)")
        #expect(!files(config).contains("identities.key"))
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let next = try await run()
        #expect(next.status == 0 && next.output.contains("No trusted service configured"), "\(next)")
        #expect(try await recorded() == ["reset begun by keys", "reset done by start"])
        #expect(!files(config).contains("trusted"))
    }

    @Test(arguments: ["clear 7 4", "clear clear clear clear clear clear", "clear 7 4 menu 1 x", "12345678901234567"])
    func keysThatAPersonMayPressAreRefused(keys: String) async throws {
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try Data("reset: {keys: \(keys)}\n".utf8).write(to: URL(filePath: "\(config)/config.yaml"))
        let run = try await run()
        #expect(run.status == 78 && run.errors.contains("reset.keys"), "\(run)")
    }
}
