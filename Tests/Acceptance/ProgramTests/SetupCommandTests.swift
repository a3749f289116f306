// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import Patience
import KioskPorts
import PictureTestKit
import Testing

/// The guided first start at a terminal, with the real program and the real scanner.
@Suite("login-kiosk setup", .fewAtATime)
struct SetupCommandTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(
            atPath: config, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data(Picture(width: 4, height: 4, shade: 0).png()).write(to: URL(filePath: scratch.path("dark.png")))
        try write("source: \"file,loop:\(scratch.path("dark.png"))\"\n", to: "\(config)/config.yaml")
    }

    private var config: String { scratch.path("config") }
    private var places: [String] { ["--state", scratch.path("state"), "--config", config] }
    private var file: String { "\(config)/config.d/80-setup.yaml" }

    private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    private func start(columns: UInt16 = 80, rows: UInt16 = 24) throws -> SetupTerminal {
        try SetupTerminal(["setup"] + places, columns: columns, rows: rows, in: scratch)
    }

    @Test("A person chooses, tries, agrees, and the settings count")
    func transcript() async throws {
        let program = try Program("login-kiosk")
        // A code in front of the camera.
        try write("login.example.com\n", to: "\(config)/trusted")
        let card = try await program.run(["card", "one-time-password", "login.example.com"] + places)
        let blocks = card.output.split(separator: "\n").map(String.init).dropLast()
        let picture = try #require(Picture(blocks: blocks, scale: 4), "\(card)")
        let code = scratch.path("code.png")
        try Data(picture.png()).write(to: URL(filePath: code))
        try write("source: \"file,loop:\(code)\"\n", to: "\(config)/config.yaml")

        // Wide enough for the path of the picture.
        let terminal = try start(columns: 200)
        try await terminal.shows("1/9 Language", "* 1 English (en)", "Deutsch (de)")
        let german = try #require(terminal.text.firstMatch(of: /(\d) Deutsch/)?.output.1)
        // A number that is not offered, and a word.
        terminal.type("99")
        try await terminal.shows("Type a number from 1 to")
        terminal.type("what?")
        try await terminal.shows("Type a number from 1 to")
        terminal.type(String(german))
        // From here on in the chosen language.
        try await terminal.shows("2/9 Kamera", "wie jetzt: file,loop:")
        terminal.type("")
        try await terminal.shows("Halten Sie einen QR-Code", "Ein QR-Code ist gelesen")
        terminal.type("")
        try await terminal.shows("Stimmt es so?", "s, b: ")
        terminal.type("")
        try await terminal.shows("3/9 Tastatur", "* 1 Tastatur und")
        terminal.type("")
        try await terminal.shows("Drücken Sie jede Ziffer")
        try await terminal.press(digits: "012345689")
        try await terminal.shows("Nicht angekommen: 7.", "Stimmt es so?", "s, b: ")
        terminal.type("b")
        try await terminal.shows("2/9 Kamera", "Enter: ")
        terminal.type("s")
        try await terminal.shows("3/9 Tastatur", "Enter: ")
        terminal.type("s")
        for step in ["4/9 Bildschirm", "5/9 Lampen", "6/9 Drahtloses Netz"] {
            try await terminal.shows(step, "Enter: ")
            terminal.type("s")
        }
        try await terminal.shows("7/9 Zugelassener Dienst", "Enter: ")
        terminal.type("not a host!")
        try await terminal.shows("not a host!:", "Enter: ")
        // Nobody answers there.
        terminal.type("127.0.0.1:1")
        try await terminal.shows("no answer from 127.0.0.1:1", "hint:", "Diesem Dienst vertrauen?", "s, b: ")
        terminal.type("")
        try await terminal.shows("8/9 Uhr", "Enter: ")
        terminal.type("")
        try await terminal.shows(
            "9/9 Zusammenfassung", "Sprache: Deutsch", "Vertrauenswürdiger Dienst: 127.0.0.1:1", "schreiben?",
            "yes, b: ")
        #expect(!FileManager.default.fileExists(atPath: file))
        terminal.type("")
        try await terminal.shows("Tippen Sie yes", "yes, b: ")
        terminal.type("yes")
        try await terminal.shows(
            "Geschrieben:", "Vertrauenswürdiger Dienst: 127.0.0.1:1", "systemctl restart login-kiosk")
        #expect(try await terminal.waitForEnd() == 0)

        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.hasSuffix("\nscreen:\n  language: de\n"))
        #expect(
            try String(contentsOfFile: "\(config)/trusted", encoding: .utf8) == "login.example.com\n127.0.0.1:1\n")
        let shown = try await program.run(["config", "show", "--json"] + places)
        #expect(shown.output.contains("80-setup.yaml:3"), "\(shown)")

        // The next time it begins with what is there, and other steps stay.
        let again = try start()
        try await again.shows("Diesen Kiosk einrichten", "* \(german) Deutsch (de)")
        for step in 2...9 {
            try await again.asks()
            again.type("s")
            try await again.shows("\(step)/9 ")
        }
        try await again.shows("Nichts wurde gewählt", "yes, b: ")
        again.type("yes")
        #expect(try await again.waitForEnd() == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test("On a terminal of 20 by 6 no line is cut, and a full screen waits")
    func small() async throws {
        let terminal = try start(columns: 20, rows: 6)
        try await terminal.shows("-- Enter --")
        terminal.type("")
        while try await terminal.next(of: "-- Enter --", "Enter:") == "-- Enter --" { terminal.type("") }
        terminal.type("q")
        #expect(try await terminal.waitForEnd() == 64)
        let guide = terminal.text.split(whereSeparator: \.isNewline).prefix { !$0.contains("login-kiosk:") }
        #expect(guide.count > 6 && guide.allSatisfy { $0.count < 20 }, "\(guide)")
    }

    @Test("Without a terminal it asks nothing, and says how")
    func noTerminal() async throws {
        try await Program("login-kiosk").run(["setup"] + places, input: "yes\n").expect(
            64, "no terminal", "hint: over ssh give -t", printing: "")
    }

    @Test("Settings that make no sense are named before any question")
    func brokenSettings() async throws {
        try write("sauce: camera\n", to: "\(config)/config.yaml")
        let terminal = try start()
        try await terminal.shows("config.yaml:1", "hint:")
        #expect(try await terminal.waitForEnd() == 78)
    }

    /// Ctrl-C at any step, q, and the end of the input.
    @Test(arguments: (1...9).map { ($0, "\u{3}") } + [(2, "q\n"), (2, "\u{4}")])
    func leaving(_ step: Int, _ keys: String) async throws {
        let before = try Scratch.content(of: [config])
        let terminal = try start()
        for number in 1..<step {
            try await terminal.asks()
            terminal.type(number == 1 ? "2" : "s")
        }
        try await terminal.shows("\(step)/9 ", step == 9 ? ", b: " : "Enter: ")
        // The terminal is not the process's own, so that it makes no signal.
        if keys == "\u{3}" { terminal.interrupt() } else { terminal.send(keys) }
        try await terminal.shows("nothing was changed")
        #expect(try await terminal.waitForEnd() == 64)
        #expect(try Scratch.content(of: [config]) == before)
    }

    @Test("A camera that goes is told, and the guide goes on")
    func lostCamera() async throws {
        let terminal = try start(columns: 200)
        try await terminal.asks()
        terminal.type("s")
        try await terminal.shows("2/9 Camera", "Enter: ")
        terminal.type("")
        try await terminal.shows("Hold a QR code", "Pictures come.")
        try FileManager.default.removeItem(atPath: scratch.path("dark.png"))
        try await terminal.shows("No picture: ")
        terminal.type("")
        try await terminal.shows("Is it right?", "s, b: ")
        terminal.type("r")
        try await terminal.shows("2/9 Camera", "Enter: ")
        terminal.type("q")
        #expect(try await terminal.waitForEnd() == 64)
    }

    @Test("On a full disk nothing is written, and the command says so", .enabled(if: FullDisk.canMount))
    func fullDisk() async throws {
        let disk = try FullDisk(in: scratch)
        let folder = "\(disk.path)/config"
        try FileManager.default.createDirectory(atPath: "\(folder)/config.d", withIntermediateDirectories: true)
        let terminal = try SetupTerminal(["setup", "--state", scratch.path("state"), "--config", folder], in: scratch)
        try await terminal.shows("1/9 Language", "Enter:")
        terminal.type("2")
        for step in 2...8 {
            try await terminal.shows("\(step)/9 ", "Enter: ")
            terminal.type("s")
        }
        try await terminal.shows("9/9 ", "yes, b: ")
        try disk.fill()
        terminal.type("yes")
        try await terminal.shows("80-setup.yaml", "No space left on device", "hint:")
        #expect(try await terminal.waitForEnd() == 73)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/config.d")
        #expect(names.allSatisfy { $0.hasPrefix(".") }, "\(names)")
    }

    @Test(
        "A user who may not write the settings is told before any question",
        .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")))
    func unprivileged() async throws {
        let program = try Program("login-kiosk").executable.path()
        let terminal = try SetupTerminal(
            ["--reuid", "4711", "--regid", "4711", "--clear-groups", program, "setup"] + places,
            of: URL(filePath: "/usr/bin/setpriv"), in: scratch)
        try await terminal.shows("the settings cannot be written", "hint: sudo login-kiosk setup")
        #expect(try await terminal.waitForEnd() == 77)
        #expect(!terminal.text.contains("1/9"))
    }
}

/// A person at the terminal of a program that asks line by line.
private final class SetupTerminal {
    private let terminal: FlowTerminal
    /// The bytes before this place were seen already.
    private var seen = 0

    init(
        _ arguments: [String], of program: URL? = nil, columns: UInt16 = 80, rows: UInt16 = 24, in scratch: Scratch
    ) throws {
        terminal = try FlowTerminal(
            arguments, of: program, settings: ["TERM": "dumb"], columns: columns, rows: rows, showsErrors: true,
            in: scratch)
    }

    /// Everything that came, echoes included.
    var text: String { terminal.sentText.replacing("\r\n", with: "\n") }

    /// Waits for one of these texts behind what was seen so far.
    func next(of texts: String...) async throws -> String {
        let found = try await Patience.wait(Program.patience, progress: { terminal.sentBytes.count }) {
            let rest = terminal.sentBytes[seen...]
            return texts.compactMap { text in
                rest.firstRange(of: Array(text.utf8)).map { (text: text, end: $0.upperBound) }
            }.min { $0.end < $1.end }
        }
        let first = try #require(found, "none of \(texts) in\n\(text)")
        seen = first.end
        return first.text
    }

    /// Waits for texts, one after the other.
    func shows(_ texts: String...) async throws {
        for text in texts { _ = try await next(of: text) }
    }

    /// Waits for the question of a step.
    func asks() async throws { try await shows("Enter: ") }

    func type(_ line: String) { send("\(line)\n") }
    func send(_ keys: String) { terminal.type(keys) }
    func interrupt() { terminal.interrupt() }

    /// Presses keys, once the program reads these instead of lines.
    func press(digits: String) async throws {
        try await terminal.wait { terminal.isListening }
        try await terminal.press(digits: digits)
        try await terminal.press(.enter)
    }

    func waitForEnd() async throws -> Int32 { try await terminal.waitForEnd() }
}
