// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// A reset returns the kiosk to its first state, even if it was interrupted anywhere.
@Suite("login-kiosk reset", .fewAtATime)
struct ResetCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var state: String { scratch.path("kiosk") }
    private var config: String { scratch.path("config") }

    private func files(_ folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    /// The notes of requested resets. An incomplete note still has another name.
    private var notes: Set<String> { files(state).filter { $0.hasPrefix("reset-begun") && !$0.contains(".new-") } }

    private func run(keys: String = "enter\n") async throws -> Program.Run {
        try await Program("login-kiosk").run(scratch.atAWall(keys: keys) + ["--plain"])
    }

    /// The entries of the audit log, whose chain must be complete.
    private func recorded() async throws -> [String] {
        struct Shown: Decodable {
            struct Record: Decodable { let event: String?, outcome: String?, detail: String? }
            let records: [Record], breaches: Int
        }
        let shown = try await scratch.kiosk(["audit", "show", "--json"])
        let document = try JSONDecoder().decode(Shown.self, from: Data(shown.output.utf8))
        #expect(document.breaches == 0, "\(shown)")
        return document.records.filter { $0.event != nil }
            .map { [$0.event, $0.outcome, $0.detail].compactMap(\.self).joined(separator: " ") }
    }

    /// An audit log that cannot be written does not prevent a reset, and is reported.
    @Test func anAuditLogThatCannotBeKept() async throws {
        try await makeKiosk()
        try FileManager.default.removeItem(atPath: "\(state)/audit")
        try Data().write(to: URL(filePath: "\(state)/audit"))
        try await scratch.kiosk(["reset", "--yes"]).expect(0, "not in the audit log")
        #expect(!files(config).contains("identities.key"))
        // If no audit log is wanted none is created.
        try FileManager.default.removeItem(atPath: "\(state)/audit")
        try scratch.write("audit: {log: false}\n", to: "config/config.yaml")
        let silent = try await scratch.kiosk(["reset", "--yes"])
        #expect(silent.status == 0 && silent.errors.isEmpty && !files(state).contains("audit"), "\(silent)")
    }

    /// Makes a kiosk with a store, a trust list and a fleet key.
    private func makeKiosk() async throws {
        _ = try await scratch.kiosk(["trust", "add", "login.example.com"])
        try scratch.write("fleet: {key-file: \(config)/fleet.key}\n", to: "config/config.yaml")
        try scratch.write([UInt8](repeating: 0, count: 32), to: "config/fleet.key", mode: 0o600)
        try await run().expect(0, output: "Scan the login QR code")
        #expect(files(state).contains("identities.sqlite") && files(config).contains("identities.key"))
    }

    @Test func leavesWhatCameWithTheKiosk() async throws {
        try await makeKiosk()
        try await scratch.kiosk(["reset", "--yes", "--json"]).expect(0, output: #""reset":true"#)
        #expect(!files(state).contains { $0.hasPrefix("identities") || $0.hasPrefix("reset") })
        #expect(!files(state).contains("device-tag"))
        // The audit log of actions stays, and contains the reset.
        #expect(try await recorded() == ["reset begun by command", "reset done by command"])
        #expect(files(config) == ["config.yaml"])
        try await run().expect(0, output: "No trusted service configured")
    }

    @Test func keepsSettingsOrDeletesRecords() async throws {
        try await makeKiosk()
        try await scratch.kiosk(["reset", "--yes", "--keep-settings"]).expect(0)
        #expect(files(config) == ["config.yaml", "fleet.key", "trusted"])
        #expect(try await recorded().last == "reset done by command, settings kept")
        let deleting = try await scratch.kiosk(["reset", "--yes", "--delete-audit-log"])
        #expect(deleting.status == 0 && !files(state).contains("audit"), "\(deleting)")
        // Nothing is left to do.
        try await scratch.kiosk(["reset", "--yes"]).expect(0)
    }

    @Test func asksFirst() async throws {
        try await makeKiosk()
        let before = files(config)
        for answer in ["no\n", "y\n", ""] {
            let reset = try await scratch.kiosk(["reset"], input: answer)
            #expect(reset.status == 64 && files(config) == before, "\(reset)")
        }
        try await scratch.kiosk(["reset"], input: "yes\n").expect(0)
        #expect(!files(config).contains("identities.key"))
    }

    @Test("A reset is refused while a kiosk runs, and changes nothing")
    func refusesAStoreInUse() async throws {
        try await makeKiosk()
        let running = try BackgroundProgram("login-kiosk", scratch.atAWall() + ["--plain"], in: scratch)
        _ = try await running.line(after: "Scan the login")
        let before = (files(config), files(state))
        try await scratch.kiosk(["reset", "--yes"]).expect(75)
        // The kiosk continues to create its own files.
        #expect(files(config) == before.0 && files(state).isSuperset(of: before.1) && notes.isEmpty)
        _ = try await running.end()
    }

    @Test("Killed at any moment: with the key everything is there, without it nothing, and the next start finishes")
    func killed() async throws {
        try await makeKiosk()
        let old = try Scratch.copy(of: [state, config])
        let kiosk = try Program("login-kiosk").executable.path()
        for round in 0..<12 {
            try old.copy(back: [state, config])
            let reset = try ChildProcess(kiosk, ["reset", "--yes"] + scratch.places)
            try await Task.sleep(for: .milliseconds(4 * round))
            reset.kill()
            let isBegun = !notes.isEmpty
            // Only files listed in the note may be missing.
            if !isBegun, files(state).contains("identities.sqlite") {
                #expect(files(config).isSuperset(of: ["identities.key", "trusted", "fleet.key"]), "round \(round)")
            }
            if isBegun || !files(config).contains("identities.key") {
                let run = try await run()
                #expect(run.status == 0 && run.output.contains("No trusted service configured"), "\(round): \(run)")
                #expect(notes.isEmpty)
                #expect(files(config).isDisjoint(with: ["trusted", "fleet.key"]))
            }
        }
    }

    /// The states after a kill between two steps: the note, with or without each of the keys.
    @Test func aStartEndsWhatWasBegun() async throws {
        try await makeKiosk()
        let old = try Scratch.copy(of: [state, config])
        for note in ["reset-begun", "reset-begun-keeping-settings", "reset-begun-with-audit-log"] {
            for hasKey in [true, false] {
                try old.copy(back: [state, config])
                try scratch.write("", to: "kiosk/\(note)")
                if !hasKey { try FileManager.default.removeItem(atPath: "\(config)/identities.key") }
                let run = try await run().expect(0)
                let isRecorded = try await recorded().contains { $0.hasPrefix("reset done by start") }
                #expect(isRecorded != note.contains("audit-log"), "\(note), key \(hasKey)")
                let words = note.contains("keeping") ? "Scan the login QR code" : "No trusted service configured"
                #expect(run.output.contains(words), "\(note), key \(hasKey): \(run)")
                #expect(!files(state).contains(note), "\(note), key \(hasKey)")
            }
        }
    }

    @Test("By keys in the first seconds: the kiosk asks twice, then ends to start again")
    func byKeys() async throws {
        try await makeKiosk()
        try scratch.write("reset: {keys: clear 7 4 menu 1 9}\n", to: "config/config.yaml")
        let keys = "clear\ntype 74\nmenu\ntype 19\n"
        try await run(keys: keys + "wait 1\nenter\n" + keys + "wait 600\n").expect(75, output: "Everything is deleted")
        #expect(!files(config).contains("identities.key"))
        try await run().expect(0, output: "No trusted service configured")
        #expect(try await recorded() == ["reset begun by keys", "reset done by start"])
        #expect(!files(config).contains("trusted"))
    }

    @Test(arguments: ["clear 7 4", "clear clear clear clear clear clear", "clear 7 4 menu 1 x", "12345678901234567"])
    func keysThatAPersonMayPressAreRefused(keys: String) async throws {
        try scratch.write("reset: {keys: \(keys)}\n", to: "config/config.yaml")
        try await run().expect(78, "reset.keys")
    }
}
