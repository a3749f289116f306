// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
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
        try write("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef", to: scratch.path("dark.y4m"))
    }

    private var config: String { scratch.path("config") }
    private var places: [String] { ["--state", scratch.path("kiosk"), "--config", config] }

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Makes a setup for this kiosk, as a picture and as a file.
    private func makeSetup(settings: String? = nil, for kiosk: String? = nil) async throws {
        let owner = try await FleetOperator(in: scratch)
        let key = if let kiosk { kiosk } else { try await owner.key(of: places) }
        _ = try await owner.setup(
            for: key, settings: settings,
            ["--trust", scratch.path("trusted.txt"), "--png", scratch.path("setup.png")])
    }

    /// Starts the kiosk on a terminal, in front of a picture.
    private func start(seeing picture: String = "setup.png") throws -> FlowTerminal {
        try FlowTerminal(["run", "--source", "file,loop:\(scratch.path(picture))"] + places, in: scratch)
    }

    /// Waits until the screen shows the words, and ends the kiosk.
    private func expect(_ words: String, on terminal: FlowTerminal) async throws {
        try await terminal.shows(words)
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
    }

    private func setUp() async throws {
        try await makeSetup()
        let terminal = try start()
        for words in ["Set up this kiosk?", "Operator: City library", "Service: login.example.com"] {
            try await terminal.shows(words)
        }
        try await terminal.press(.enter)
        // It serves without a restart.
        try await expect("Scan the login QR code", on: terminal)
    }

    @Test("With a card and OK the kiosk serves without a restart, and after a reset it waits for an operator again")
    func fromACard() async throws {
        try await setUp()
        // Every later start is that of a kiosk in use.
        try await expect("This is a setup card.", on: try start())
        let before = try await kiosk.run(["fleet", "number"] + places)
        let reset = try await kiosk.run(["reset", "--yes"] + places)
        #expect(reset.status == 0 && !before.output.contains("none yet"), "\(reset) \(before)")
        // A setup sealed for the old number cannot be opened any more.
        try await expect("This setup is for another kiosk.", on: try start())
    }

    @Test("With a file on a stick, the kiosk ends with 75 only for settings that need a restart")
    func fromAStick() async throws {
        try await makeSetup(settings: "screen: {language: de}\n")
        let stick = scratch.path("sticks/a")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: scratch.path("login-kiosk.setup"), toPath: "\(stick)/login-kiosk.setup")
        let terminal = try start(seeing: "dark.y4m")
        try await terminal.shows("Language: Deutsch")
        try await terminal.press(.enter)
        #expect(try await terminal.waitForEnd() == 75, "\(terminal.errorText)")
        try await expect("QR-Code", on: try start(seeing: "dark.y4m"))
    }

    @Test("Another kiosk's setup and a damaged one change nothing")
    func refusals() async throws {
        let elsewhere = "LOGIN-KIOSK-KEY:1:09" + String(repeating: "00", count: 31)
        try await makeSetup(for: elsewhere)
        try await expect("This setup is for another kiosk.", on: try start())
        let text = try String(contentsOfFile: scratch.path("login-kiosk.setup"), encoding: .utf8)
        let stick = scratch.path("sticks/a")
        try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: true)
        try write(String(text.dropLast(40)), to: "\(stick)/login-kiosk.setup")
        try await expect("This setup is damaged", on: try start(seeing: "dark.y4m"))
        let status = try await kiosk.run(["fleet", "number"] + places)
        #expect(status.output.contains("operator: none yet"), "\(status)")
    }
}
