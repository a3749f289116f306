// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

/// The operator's commands for personal cards, one after the other at one kiosk.
@Suite("login-kiosk identities card", .fewAtATime)
struct PersonalCardCommandTests {
    private static let user = "alice@example.com"

    private let scratch: Scratch
    private let service: ServiceWithUser

    init() async throws {
        scratch = try Scratch()
        service = try await ServiceWithUser(user: Self.user, pin: "2583", in: scratch)
    }

    private func card(_ arguments: String..., of user: String = Self.user) async throws -> Program.Run {
        try await scratch.kiosk(["identities", "card", "--user", user, "--allow-loopback-http"] + arguments)
    }

    private func check(_ text: String, _ arguments: String...) async throws -> Program.Run {
        try await scratch.kiosk(
            ["identities", "check-card", "--allow-loopback-http"] + arguments, input: text + "\n")
    }

    private func scanned(_ file: String) async throws -> String {
        try await Program("login-kiosk").run(["scan", "--source", file]).output
    }

    @Test func story() async throws {
        try await needsTheFleetsKey()
        try FlowFleet(in: scratch).add()
        try await isReadByTheScanner()
        try await isDrawnForAPrinter()
        try await isCheckedAndRefused()
        try await hasAnEnd()
    }

    private func needsTheFleetsKey() async throws {
        try await card().expect(78, "hint: name a file of 32 random bytes")
        try FlowFleet(in: scratch).add()
        let key = URL(filePath: scratch.path("fleet.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key.path())
        try await card().expect(78, "chmod 600")
        // A kiosk with such a key does not start.
        try await scratch.kiosk(["run"]).expect(78, "the fleet key")
        try scratch.write([1, 2, 3], to: "fleet.key", mode: 0o600)
        try await card().expect(78, "exactly 32 bytes")
    }

    private func isReadByTheScanner() async throws {
        let drawn = try await card()
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn)")
        let lines = drawn.output.split(separator: "\n").map(String.init)
        #expect(lines.last?.hasPrefix("\(Self.user) until 20") == true)
        let picture = try #require(Picture(blocks: lines.dropLast(), scale: 4))
        let file = try scratch.write(picture.png(), to: "drawn.png")
        #expect(try await scanned(file).hasPrefix("LOGIN-KIOSK-CARD:2:"))

        let png = scratch.path("card.png")
        try await card("--png", png).expect(0, printing: "written: \(png)\n")
        let text = try await scanned(png)
        #expect(text.hasPrefix("LOGIN-KIOSK-CARD:2:") && !text.contains("alice"))
        let mode = try FileManager.default.attributesOfItem(atPath: png)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    private struct Document: Decodable {
        let version: Int
        let user: String
        let modules: Int?
        let file: String?
        let issued: Int64
        let ends: Int64

        init(_ run: Program.Run) throws { self = try JSONDecoder().decode(Self.self, from: Data(run.output.utf8)) }
    }

    private func isDrawnForAPrinter() async throws {
        let svg = scratch.path("card.svg")
        let document = try Document(try await card("--svg", svg, "--json").expect(0))
        #expect(document.version == 1 && document.user == Self.user && document.file == svg)
        #expect(document.ends - document.issued == 365 * 86_400)
        let modules = try #require(document.modules)
        #expect((57...117).contains(modules))
        let (picture, side) = (try String(contentsOfFile: svg, encoding: .utf8), modules + 8)
        #expect(picture.contains("viewBox=\"0 0 \(side) \(side + side / 8)\"") && picture.contains(Self.user))
    }

    private func isCheckedAndRefused() async throws {
        for text in ["LOGIN-KIOSK-CARD:1:ABC", "LOGIN-KIOSK-CARD:2:AB", "x", ""] {
            let run = try await check(text).expect(text.isEmpty ? 64 : 65, "hint:")
            #expect(run.errors.contains("the time of this card is over") == text.contains(":1:"), "\(text)")
        }
        let stranger = try await card(of: "eve@example.com")
        #expect(stranger.status != 0 && stranger.output.isEmpty, "\(stranger)")
        try await card("--svg", "a", "--png", "b").expect(64)
        for hours in ["0", "721", "x"] { try await card("--hours", hours).expect(64) }
    }

    /// A card expires, a temporary one after hours. The command and the audit log name the end.
    private func hasAnEnd() async throws {
        try scratch.write("cards: {lifetime: 30}\n", to: "config/config.d/cards.yaml")
        let (lasting, temporary) = (scratch.path("lasting.png"), scratch.path("temporary.png"))
        try await card("--png", lasting).expect(0)
        try await card("--png", temporary, "--hours", "8").expect(0)
        for (png, seconds) in [(lasting, 30 * 86_400), (temporary, 8 * 3600)] as [(String, Int64)] {
            let document = try Document(try await check(try await scanned(png), "--json"))
            #expect(document.user == Self.user && document.ends - document.issued == seconds)
        }
        let record = try await scratch.kiosk(["audit", "export"])
        #expect(record.output.contains(#""event":"card""#) && record.output.contains(", until 20"), "\(record)")
    }
}
