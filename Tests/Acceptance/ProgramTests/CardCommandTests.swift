// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import Patience
import PictureTestKit
import Testing

@Suite("login-kiosk card", .fewAtATime)
struct CardCommandTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let settings = """
            network: {company-id: the-company}
            doors:
              Main entrance: {service: "https://access.example.com", action: command, command: /bin/true}
              Süd & Nord <2>: {service: "https://access.example.com/app", action: command, command: /bin/true}
              Shed: {service: "https://shed.example.com", action: command, command: /bin/true}

            """
        try scratch.write(settings, to: "config/config.yaml")
        try scratch.write("access.example.com\n*.example.org\n", to: "config/trusted")
    }

    private func card(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Run {
        try await scratch.kiosk(["card"] + arguments, environment: environment)
    }

    /// The text that the scanner reads in a picture.
    private func scanned(_ picture: Picture) async throws -> String {
        let file = try scratch.write(picture.png(), to: "card.png")
        return try await Program("login-kiosk").run(["scan", "--source", file]).output
    }

    @Test("The scanner reads what is drawn")
    func drawn() async throws {
        let run = try await card("door", "Main entrance")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.last == "Main entrance")
        let picture = try #require(Picture(blocks: lines.dropLast(), scale: 4))
        #expect(try await scanned(picture) == "login-kiosk:door/Main%20entrance\n")
    }

    @Test("On a terminal it is dark on light, with any colours of the terminal")
    func terminal() async throws {
        let terminal = try FlowTerminal(["card", "door"] + scratch.places, rows: 40, in: scratch)
        #expect(try await terminal.waitForEnd() == 0, "\(terminal.errorText)")
        try await terminal.wait(hasEnded: true) { terminal.sentText.contains("Open a door") }
        let lines = terminal.sentText.split(whereSeparator: \.isNewline)
        #expect(lines.count > 10 && lines.last == "Open a door")
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("\u{1B}[30;107m") && $0.hasSuffix("\u{1B}[0m") })
    }

    @Test("The picture contains the same code, and a caption")
    func picture() async throws {
        let file = scratch.path("cards/door.svg")
        try FileManager.default.createDirectory(atPath: scratch.path("cards"), withIntermediateDirectories: false)
        try await card("door", "Süd & Nord <2>", "--svg", file).expect(0, printing: "written: \(file)\n")
        let svg = try String(contentsOfFile: file, encoding: .utf8)
        #expect(svg.contains(">Süd &amp; Nord &lt;2&gt;</text>"))
        let picture = try #require(Picture(runs: svg, scale: 4))
        #expect(try await scanned(picture) == "login-kiosk:door/S%C3%BCd%20%26%20Nord%20%3C2%3E\n")
        // Another picture replaces it, and no other file remains.
        _ = try await card("door", "Main entrance", "--svg", file, "--caption", "Push")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(">Push</text>"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("cards")) == ["door.svg"])
    }

    @Test func objects() async throws {
        let door = try await card("door", "Main entrance", "--json")
        #expect(
            door.output
                == #"{"caption":"Main entrance","place":"Main entrance","signed":false,"task":"door","#
                + #""text":"login-kiosk:door/Main%20entrance","version":1}"# + "\n", "\(door)")
        let password = try await card(
            "one-time-password", "access.example.com", "--json", environment: ["LANG": "de_DE.UTF-8"])
        #expect(
            password.output
                == #"{"caption":"Einmalpasswort: access.example.com","place":"access.example.com","signed":false,"#
                + #""task":"one-time-password","text":"login-kiosk:one-time-password/access.example.com","version":1}"#
                + "\n", "\(password)")
    }

    @Test("With a fleet key the card is signed")
    func signed() async throws {
        let file = try scratch.write([UInt8](repeating: 7, count: 32), to: "fleet.key", mode: 0o600)
        let text = "login-kiosk:door/Main%20entrance?a4dce5884f49799f50f3b88868611caa"
        let named = try await card("door", "Main entrance", "--fleet-key", file)
        let picture = try #require(
            Picture(blocks: named.output.split(separator: "\n").map(String.init).dropLast(), scale: 4))
        #expect(try await scanned(picture) == text + "\n")
        let settings = try String(contentsOfFile: scratch.path("config/config.yaml"), encoding: .utf8)
        try scratch.write("fleet: {key-file: \(file)}\n\(settings)", to: "config/config.yaml")
        let own = try await card("door", "Main entrance", "--json")
        #expect(own.output.contains(#""signed":true,"task":"door","text":"\#(text)""#), "\(own)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try await card("door").expect(78, "hint: ", printing: "")
    }

    @Test(
        "What the kiosk would not do is not printed",
        arguments: [
            (["door", "Vault"], 65, "hint: configured are: Main entrance, Shed, Süd & Nord <2>"),
            (["door", "Shed"], 65, "https://shed.example.com is not on the trust list\nhint: add it"),
            (["registration-code"], 65, "hint: offer it: menu.registration-code: true"),
            (["signing"], 65, "hint: offer it"),
            (["identities", "www.example.org"], 65, "hint: see what is: login-kiosk trust list"),
            (["identities", "Shed"], 65, "is not a service that the trust list names"),
            (["menu"], 64, "expected one of typed-code, one-time-password, registration-code, door, identities"),
            (["door", "--caption", "\u{7}"], 64, "no visible character"),
            (["door", "--svg", "/none/card.svg"], 73, "/none/card.svg: cannot be written\nhint: "),
        ])
    func mistakes(arguments: [String], status: Int32, complaint: String) async throws {
        try await scratch.kiosk(["card"] + arguments).expect(status, complaint, printing: "")
    }

    @Test func withoutDoorOrServiceThereIsNoCard() async throws {
        try scratch.write("source: camera\n", to: "config/config.yaml")
        try await card("door").expect(65, "no door is configured")
        try scratch.write("*.example.org\n", to: "config/trusted")
        try await card("identities").expect(65, "the trust list names no service")
        try scratch.write("source: [\n", to: "config/config.yaml")
        try await card("door").expect(78)
    }
}

extension Picture {
    /// Reads the runs of an SVG path: `M column row h length v1 ...`.
    fileprivate init?(runs svg: String, scale: Int) {
        guard let box = svg.firstMatch(of: /viewBox="0 0 (\d+) (\d+)"/), let width = Int(box.output.1),
            let height = Int(box.output.2)
        else { return nil }
        self.init(width: width * scale, height: height * scale, shade: 255)
        for run in svg.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
            guard let x = Int(run.output.1), let y = Int(run.output.2), let length = Int(run.output.3) else {
                return nil
            }
            for column in x..<x + length { fill(column, y, scale) }
        }
    }

    private mutating func fill(_ column: Int, _ row: Int, _ scale: Int) {
        for y in row * scale..<(row + 1) * scale {
            for x in column * scale..<(column + 1) * scale { self[x, y] = 0 }
        }
    }
}
