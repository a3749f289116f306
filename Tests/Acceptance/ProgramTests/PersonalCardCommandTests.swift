// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import PictureTestKit
import Testing

@Suite("login-kiosk identities card", .fewAtATime)
struct PersonalCardCommandTests {
    private let scratch: Scratch
    private let service: EnrolledService

    init() async throws {
        scratch = try Scratch()
        service = try await EnrolledService(user: "alice@example.com", pin: "2583", in: scratch)
    }

    private func card(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(
            ["identities", "card", "--user", "alice@example.com"] + arguments + service.options(service.places))
    }

    private func scanned(_ file: String) async throws -> String {
        try await Program("login-kiosk").run(["scan", "--source", file]).output
    }

    @Test func isReadByTheScanner() async throws {
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        let drawn = try await card()
        #expect(drawn.status == 0 && drawn.errors.isEmpty, "\(drawn)")
        let lines = drawn.output.split(separator: "\n").map(String.init)
        #expect(lines.last?.hasPrefix("alice@example.com until 20") == true)
        let picture = try #require(Picture(blocks: lines.dropLast(), scale: 4))
        try Data(picture.png()).write(to: URL(filePath: scratch.path("drawn.png")))
        #expect(try await scanned(scratch.path("drawn.png")).hasPrefix("LOGIN-KIOSK-CARD:2:"))

        let png = scratch.path("card.png")
        let written = try await card("--png", png)
        #expect(written.status == 0 && written.output == "written: \(png)\n", "\(written)")
        let text = try await scanned(png)
        #expect(text.hasPrefix("LOGIN-KIOSK-CARD:2:") && !text.contains("alice"))
        let mode = try FileManager.default.attributesOfItem(atPath: png)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func isDrawnForAPrinter() async throws {
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        let svg = scratch.path("card.svg")
        let run = try await card("--svg", svg, "--json")
        #expect(run.status == 0, "\(run)")
        struct Document: Decodable {
            let version: Int
            let user: String
            let modules: Int
            let file: String?
            let issued: Int64
            let ends: Int64
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(run.output.utf8))
        #expect(document.version == 1 && document.user == "alice@example.com" && document.file == svg)
        #expect(document.ends - document.issued == 365 * 86_400)
        #expect((57...117).contains(document.modules))
        let picture = try String(contentsOfFile: svg, encoding: .utf8)
        let side = document.modules + 8
        #expect(picture.contains("viewBox=\"0 0 \(side) \(side + side / 8)\"") && picture.contains("alice@example.com"))
    }

    /// A card expires, a temporary one after hours. The command and the record name the end.
    @Test func hasAnEnd() async throws {
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        try Data("cards: {lifetime: 30}\n".utf8).write(to: URL(filePath: scratch.path("config/config.d/cards.yaml")))
        for (arguments, seconds) in [([String](), 30 * 86_400), (["--hours", "8"], 8 * 3600)] {
            let png = scratch.path("card-\(seconds).png")
            let run = try await Program("login-kiosk").run(
                ["identities", "card", "--user", "alice@example.com", "--png", png] + arguments
                    + service.options(service.places))
            #expect(run.status == 0, "\(run)")
            let check = try await check(try await scanned(png), "--json")
            struct Document: Decodable {
                let user: String
                let issued: Int
                let ends: Int
            }
            let document = try JSONDecoder().decode(Document.self, from: Data(check.output.utf8))
            #expect(document.user == "alice@example.com" && document.ends - document.issued == seconds)
        }
        let record = try await Program("login-kiosk").run(["audit", "export"] + service.places)
        #expect(record.output.contains(#""event":"card""#) && record.output.contains(", until 20"), "\(record)")
        for hours in ["0", "721", "x"] {
            #expect(try await card("--hours", hours).status == 64)
        }
    }

    @Test(
        "An invalid card is reported", arguments: ["LOGIN-KIOSK-CARD:1:ABC", "LOGIN-KIOSK-CARD:2:AB", "x", ""])
    func isNoCard(_ text: String) async throws {
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        let run = try await check(text)
        #expect(run.status == (text.isEmpty ? 64 : 65) && run.errors.contains("hint:"), "\(run)")
        #expect(run.errors.contains("the time of this card is over") == text.contains(":1:"))
    }

    private func check(_ text: String, _ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(
            ["identities", "check-card"] + arguments + service.options(service.places), input: text + "\n")
    }

    @Test func needsTheFleetsKey() async throws {
        let without = try await card()
        #expect(without.status == 78 && without.errors.contains("hint: name a file of 32 random bytes"), "\(without)")
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: scratch.path("fleet.key"))
        let open = try await card()
        #expect(open.status == 78 && open.errors.contains("chmod 600"), "\(open)")
        // A kiosk with such a key does not start.
        let run = try await Program("login-kiosk").run(["run"] + service.options(service.places))
        #expect(run.status == 78 && run.errors.contains("the fleet key"), "\(run)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: scratch.path("fleet.key"))
        try Data([1, 2, 3]).write(to: URL(filePath: scratch.path("fleet.key")))
        let short = try await card()
        #expect(short.status == 78 && short.errors.contains("exactly 32 bytes"), "\(short)")
    }

    @Test func isForThoseWhoAreEnrolled() async throws {
        try FlowFleet(in: scratch).add(config: scratch.path("config"))
        let run = try await Program("login-kiosk").run(
            ["identities", "card", "--user", "eve@example.com"] + service.options(service.places))
        #expect(run.status != 0 && run.output.isEmpty, "\(run)")
        let both = try await card("--svg", "a", "--png", "b")
        #expect(both.status == 64, "\(both)")
    }
}
