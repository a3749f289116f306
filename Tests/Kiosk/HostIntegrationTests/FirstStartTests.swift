// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import LinuxSystem
import Patience
import Testing

@testable import HostIntegration

@Suite("The steps of a guided first start") struct FirstStartTests {
    @Test(
        "A typed line has one meaning",
        arguments: [
            ("", .accepted), ("  ", .accepted), ("s", .skipped), (" S ", .skipped), ("r", .repeated), ("b", .back),
            ("q", .left), ("12", .number(12)), ("-1", .number(-1)), ("yes", .text("yes")), ("sq", .text("sq")),
            ("login.example.com\t", .text("login.example.com")),
            ("99999999999999999999", .text("99999999999999999999")),
        ] as [(String, FirstStart.Input)])
    func inputs(_ line: String, _ input: FirstStart.Input) { #expect(FirstStart.Input(line: line) == input) }

    @Test("Enter and s lead to the next step, b back, r nowhere, and q out")
    func moves() {
        var progress = FirstStart()
        #expect(progress.obey(.back) == .show(.language))
        #expect(progress.obey(.accepted) == .show(.camera))
        #expect(progress.obey(.repeated) == .show(.camera))
        #expect(progress.obey(.skipped) == .show(.keypad))
        #expect(progress.obey(.back) == .show(.camera))
        #expect(progress.obey(.left) == .leave)
        for step in FirstStart.Step.allCases.dropFirst(2) { #expect(progress.obey(.accepted) == .show(step)) }
        #expect(progress.step == .summary)
    }

    @Test("Nonsense changes nothing", arguments: [.number(7), .text("yes"), .text("what?")] as [FirstStart.Input])
    func nonsense(_ input: FirstStart.Input) {
        var progress = FirstStart()
        let before = progress
        guard case .refused(let words) = progress.obey(input) else {
            Issue.record("it was taken")
            return
        }
        #expect(words == Prompt(.guideKeys) && progress == before)
    }

    @Test("Only the word agrees at the end")
    func agreement() {
        var progress = FirstStart()
        for _ in FirstStart.Step.allCases.dropFirst() { _ = progress.obey(.accepted) }
        for input in [.accepted, .skipped, .number(1), .text("yess")] as [FirstStart.Input] {
            guard case .refused = progress.obey(input) else {
                Issue.record("\(input) was taken")
                continue
            }
        }
        #expect(progress.obey(.text("yes")) == .write)
    }

    @Test("A step's later choice replaces the earlier one, and skipping drops it")
    func choices() {
        var progress = FirstStart()
        progress.choose(.init(\.screen.language, "de", Prompt(.languageChosen, [.name: "Deutsch"])))
        progress.choose(.init(\.screen.language, "fr", Prompt(.languageChosen, [.name: "Français"])))
        _ = progress.obey(.accepted)
        progress.choose(.init(\.source, "camera:a", Prompt(.guideCameraChosen, [.name: "a"])))
        _ = progress.obey(.accepted)
        #expect(progress.settings == ["screen.language": "fr", "source": "camera:a"])
        #expect(
            progress.summary == [
                Prompt(.languageChosen, [.name: "Français"]), Prompt(.guideCameraChosen, [.name: "a"]),
            ])
        _ = progress.obey(.back)
        _ = progress.obey(.skipped)
        #expect(progress.settings == ["screen.language": "fr"])
        #expect(progress[\.screen.language] == "fr" && progress[\.source] == nil)
    }

    @Test("Any inputs end nowhere but in a step, and nothing is written without the word")
    func walks() {
        var random = SplitMix64(seed: 5)
        let inputs: [FirstStart.Input] = [.accepted, .skipped, .repeated, .back, .number(1), .text("x")]
        for _ in 0..<200 {
            var progress = FirstStart()
            for _ in 0..<60 {
                let step = progress.step
                switch progress.obey(inputs[Int.random(in: inputs.indices, using: &random)]) {
                case .show(let next): #expect(next == progress.step)
                case .refused: #expect(progress.step == step)
                case .write, .leave: Issue.record("it ended")
                }
            }
        }
    }
}

@Suite("The file of a guided first start") struct FirstStartFileTests {
    let root = FileManager.default.temporaryDirectory.appending(path: "first-\(UUID().uuidString)").path()
    private var file: FirstStartFile { FirstStartFile(in: root) }

    private func clean() { try? FileManager.default.removeItem(atPath: root) }

    private func configuration() -> KioskConfiguration {
        KioskConfiguration(SettingSources(layers: [root], directory: root, state: nil, environment: [:]))
    }

    @Test("A later run keeps what it does not change, also what was written by hand")
    func again() throws {
        defer { clean() }
        try file.checkFolder()
        try file.write([
            "screen.language": "de", "keypads.setup.driver": "evdev", "keypads.setup.usb": "1a2c:4c5e",
            "source": "camera",
        ])
        #expect(
            try String(contentsOfFile: file.path, encoding: .utf8) == """
                # Written by login-kiosk setup. Run it again to change this.
                keypads:
                  setup:
                    driver: evdev
                    usb: "1a2c:4c5e"
                screen:
                  language: de
                source: camera

                """)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        let folder = try FileManager.default.attributesOfItem(atPath: "\(root)/config.d")
        #expect(folder[.posixPermissions] as? Int == 0o755)
        try OwnedFile.replace(
            file.path, with: Array((try String(contentsOfFile: file.path, encoding: .utf8) + "log-level: debug\n").utf8)
        )
        try file.write(["screen.language": "fr", "keypads.setup.usb": nil, "keypads.setup.path": "/dev/input/event7"])
        let read = configuration()
        #expect(read.problems.isEmpty, "\(read.problems)")
        #expect(read.text("screen.language") == "fr" && read.text("log-level") == "debug")
        #expect(read.keypads.first?.options.mapValues(\.value) == ["path": "/dev/input/event7"])
        #expect(read.setting("source")?.origin == .file(path: file.path, line: 9))
    }

    @Test("A file that makes no sense stays as it is")
    func malformed() throws {
        defer { clean() }
        try file.write(["source": "camera"])
        try OwnedFile.replace(file.path, with: Array("sauce: camera\n".utf8))
        #expect(throws: ConfigurationProblem.self) { try file.write(["source": "rpicam"]) }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "sauce: camera\n")
    }

    @Test("Any value is read as it was written")
    func fuzz() throws {
        var random = SplitMix64(seed: 12)
        let signs = Array("ab1 :#\"'\\{}[],&*!|>%@`~-?\u{E9}\u{1F600}\n\t\r\u{2028}\u{85}\u{7F}")
        for _ in 0..<2000 {
            let value = String(
                (0...Int.random(in: 0...8, using: &random)).map { _ in signs.randomElement(using: &random) ?? "a" })
            let file = ConfigurationFile(
                path: "x", content: Data(FirstStartFile.text(["source": value, "screen.language": "null"]).utf8))
            #expect(
                file.problems.isEmpty && file.entries.last?.value == value, "\(value.debugDescription) \(file.problems)"
            )
            #expect(file.entries.first?.value == "null")
        }
    }

    @Test("A folder of another user, or that cannot be written, is told before any question")
    func folders() throws {
        defer { clean() }
        try FileManager.default.createDirectory(atPath: "\(root)/config.d", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: "\(root)/config.d")
        let error = #expect(throws: FileFault.self) { try file.checkFolder() }
        #expect(error?.isExposure == true)
        #expect(throws: FileFault.self) { try FirstStartFile(in: "/dev/null").checkFolder() }
    }
}
