// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Testing

/// A kiosk without a keyboard gets its operator: the real commands make the card, the real kiosk films it.
@Suite("A profile at login-kiosk run", .fewAtATime)
struct ProfileAtTheKioskTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.write(
            "provisioning: {wanted: true, folders: \(scratch.path("sticks"))/*}\n", to: "config/config.yaml")
        try scratch.write("login.example.com\n", to: "trusted.txt")
        _ = try scratch.wall()
    }

    /// Makes a profile for this kiosk.
    private func makeProfile(settings: String? = nil, kiosk owner: String? = nil) async throws {
        let number = try await scratch.kiosk(["fleet", "number"])
        let own = try #require(number.output.split(separator: "\n").first { $0.hasPrefix("LOGIN-KIOSK-KEY:") })
        try await TestOperator(in: scratch).card(
            settings: settings,
            [
                "--kiosk", owner ?? String(own), "--trust", scratch.path("trusted.txt"), "--png",
                scratch.path("profile.png"),
            ]
        ).expect(0)
    }

    /// Starts the kiosk on a terminal, in front of a picture.
    private func start(seeing picture: String = "profile.png") throws -> FlowTerminal {
        try FlowTerminal(["run", "--source", "file,loop:\(scratch.path(picture))"] + scratch.places, in: scratch)
    }

    /// Waits until the screen shows the words, and ends the kiosk.
    private func expect(_ words: String, on terminal: FlowTerminal) async throws {
        try await terminal.shows(words)
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
    }

    private func setUp() async throws {
        try await makeProfile()
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
        try await expect("This is a profile card.", on: try start())
        let before = try await scratch.kiosk(["fleet", "number"])
        let reset = try await scratch.kiosk(["reset", "--yes"])
        #expect(reset.status == 0 && !before.output.contains("none yet"), "\(reset) \(before)")
        // A profile sealed for the old number cannot be opened any more.
        try await expect("This profile is for another kiosk.", on: try start())
    }

    @Test("With a file on a stick, the kiosk ends with 75 only for settings that need a restart")
    func fromAStick() async throws {
        try await makeProfile(settings: "screen: {language: de}\n")
        let profile = try String(contentsOfFile: scratch.path("login-kiosk.profile"), encoding: .utf8)
        try scratch.write(profile, to: "sticks/a/login-kiosk.profile")
        let terminal = try start(seeing: "wall.y4m")
        try await terminal.shows("Language: Deutsch")
        try await terminal.press(.enter)
        #expect(try await terminal.waitForEnd() == 75, "\(terminal.errorText)")
        try await expect("QR-Code", on: try start(seeing: "wall.y4m"))
    }

    @Test("Another kiosk's profile and a damaged one change nothing")
    func refusals() async throws {
        let elsewhere = "LOGIN-KIOSK-KEY:1:09" + String(repeating: "00", count: 31)
        try await makeProfile(kiosk: elsewhere)
        try await expect("This profile is for another kiosk.", on: try start())
        let text = try String(contentsOfFile: scratch.path("login-kiosk.profile"), encoding: .utf8)
        try scratch.write(String(text.dropLast(40)), to: "sticks/a/login-kiosk.profile")
        try await expect("This profile is damaged", on: try start(seeing: "wall.y4m"))
        let status = try await scratch.kiosk(["fleet", "number"])
        #expect(status.output.contains("operator: none yet"), "\(status)")
    }
}
