// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A kiosk without a keyboard gets its operator: the real commands make the card, the real kiosk films it.
@Suite("A setup at login-kiosk run", .fewAtATime)
struct SetupAtTheKioskTests {
    let scratch: Scratch
    let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
        try write(
            "provisioning: {wanted: true, folders: \(scratch.path("sticks"))/*}\n", to: "\(config)/config.yaml")
        try write("login.example.com\n", to: scratch.path("trusted.txt"))
        try write("P5 4 4 255\n0123456789abcdef", to: scratch.path("dark.pgm"))
    }

    private var config: String { scratch.path("config") }
    private var places: [String] { ["--state", scratch.path("kiosk"), "--config", config] }

    /// Presses OK repeatedly, on a machine of any speed. Where there is nothing to agree to, OK does nothing.
    private let agreeing = String(repeating: "wait 2\nenter\n", count: 12)

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private func command(_ arguments: String...) async throws -> Program.Run {
        let run = try await kiosk.run(arguments)
        try #require(run.status == 0, "\(run)")
        return run
    }

    /// Makes a setup for this kiosk.
    private func makeSetup(_ options: String..., by key: String = "operator.key", kiosk owner: String? = nil)
        async throws
    {
        _ = try await command("fleet", "operator-key", scratch.path(key))
        let number = try await kiosk.run(["fleet", "number"] + places)
        let own = try #require(number.output.split(separator: "\n").first { $0.hasPrefix("LOGIN-KIOSK-KEY:") })
        let card = try await kiosk.run(
            [
                "fleet", "card", "--operator-key", scratch.path(key), "--name", "City library", "--kiosk",
                owner ?? String(own), "--trust", scratch.path("trusted.txt"), "--png", scratch.path("setup.png"),
                "--file", scratch.path("login-kiosk.setup"),
            ] + options)
        try #require(card.status == 0, "\(card)")
    }

    private func run(_ source: String, keys: String) async throws -> Program.Run {
        try write(keys, to: scratch.path("keys"))
        return try await kiosk.run(
            ["run", "--plain", "--source", source, "--keys", scratch.path("keys")] + places)
    }

    @Test("With a card in front of the camera and OK the kiosk serves without a restart")
    func fromACard() async throws {
        try await makeSetup()
        let run = try await run(scratch.path("setup.png"), keys: agreeing)
        #expect(run.status == 0, "\(run)")
        for words in [
            "Number of this kiosk:", "Operator: City library", "Service: login.example.com", "This kiosk is set up",
            "Scan the login QR code",
        ] { #expect(run.output.contains(words), "\(words): \(run)") }
        // Every later start is that of a kiosk in use.
        let next = try await self.run(scratch.path("setup.png"), keys: "wait 12\n")
        #expect(next.status == 0 && next.output.contains("This is a setup card."), "\(next)")
        #expect(!next.output.contains("Set up this kiosk?"))
    }

    @Test("With a file on a stick, the kiosk ends with 75 only for settings that need a restart")
    func fromAStick() async throws {
        try write("screen: {language: de}\n", to: scratch.path("settings.yaml"))
        try await makeSetup("--settings", scratch.path("settings.yaml"))
        let stick = scratch.path("sticks/a")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: scratch.path("login-kiosk.setup"), toPath: "\(stick)/login-kiosk.setup")
        let run = try await run(scratch.path("dark.pgm"), keys: agreeing + "wait 600\n")
        #expect(run.status == 75 && run.output.contains("Language: Deutsch"), "\(run)")
        let next = try await self.run(scratch.path("dark.pgm"), keys: "enter\n")
        #expect(next.status == 0 && next.output.contains("QR-Code"), "\(next)")
    }

    @Test("The answer no, another kiosk's setup, a damaged one, and another kind of code change nothing")
    func refusals() async throws {
        try await makeSetup()
        let declined = try await run(scratch.path("setup.png"), keys: agreeing.replacing("enter", with: "back"))
        #expect(declined.status == 0 && declined.output.contains("Set up this kiosk?"), "\(declined)")
        #expect(!declined.output.contains("This kiosk is set up"))
        let elsewhere = "LOGIN-KIOSK-KEY:1:09" + String(repeating: "00", count: 31)
        try await makeSetup(kiosk: elsewhere)
        let foreign = try await run(scratch.path("setup.png"), keys: "wait 12\n")
        #expect(foreign.output.contains("This setup is for another kiosk."), "\(foreign)")
        let text = try String(contentsOfFile: scratch.path("login-kiosk.setup"), encoding: .utf8)
        let stick = scratch.path("sticks/a")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        try write(String(text.dropLast(40)), to: "\(stick)/login-kiosk.setup")
        let damaged = try await run(scratch.path("dark.pgm"), keys: "wait 12\n")
        #expect(damaged.output.contains("This setup is damaged"), "\(damaged)")
        let status = try await kiosk.run(["fleet", "number"] + places)
        #expect(status.output.contains("operator: none yet"), "\(status)")
    }

    @Test("After a reset it waits for an operator again, with a new number")
    func reset() async throws {
        try await makeSetup()
        _ = try await run(scratch.path("setup.png"), keys: agreeing)
        let before = try await kiosk.run(["fleet", "number"] + places)
        let reset = try await kiosk.run(["reset", "--yes"] + places)
        #expect(reset.status == 0 && !before.output.contains("none yet"), "\(reset) \(before)")
        let run = try await run(scratch.path("setup.png"), keys: "wait 12\n")
        #expect(run.output.contains("Set up this kiosk"), "\(run)")
        // A setup sealed for the old number cannot be opened any more.
        #expect(run.output.contains("This setup is for another kiosk."), "\(run)")
    }
}
