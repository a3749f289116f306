// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import HostIntegration

@Suite struct ConfigurationFileTests {
    private func read(_ text: String) -> ConfigurationFile { ConfigurationFile(path: "f", content: Data(text.utf8)) }

    @Test func entriesHaveLines() {
        let file = read(
            """
            # A comment.
            source: camera
            camera:
              size: 1280x720
              controls:
                exposure: 200
                focus: auto
            screen: {plain: yes}
            network:
            """)
        #expect(file.problems.isEmpty)
        #expect(
            file.entries.map { "\($0.line) \($0.name) = \($0.value)" } == [
                "2 source = camera", "4 camera.size = 1280x720", "6 camera.controls.exposure = 200",
                "7 camera.controls.focus = auto", "8 screen.plain = yes",
            ])
    }

    @Test(arguments: [
        ("source: camera\nsorce: x\n", "f:2: 'sorce' is not a setting"),
        ("camera:\n  contrast: 3\n", "f:2: 'camera.contrast' is not a setting"),
        ("store:\n  database: host=db\n", "f:2: 'store.database' is gone, kiosks share no database of identities"),
        ("store: {cache: true}\n", "f:1: 'store.cache' is gone together with store.database"),
        ("camera: 3\n", "f:1: 'camera' is a group"),
        ("source:\n  - a\n", "f:1: 'source' is a single value"),
        ("source: {a: b}\n", "f:1: 'source' is a single value"),
        ("screen:\n  plain: perhaps\n", "f:2: 'screen.plain' is true or false"),
        ("log-level: info\nsource: a\nsource: b\n", "said twice: source"),
        ("source: \"a\n", "this is not YAML"),
        ("a: b: c\n", "f:1: this is not YAML"),
        ("- source\n", "f:1: expected 'name: value' lines"),
        ("source\n", "f:1: expected 'name: value' lines"),
        ("3.5: a\n", "f:1: a setting's name is a word without points"),
    ])
    func mistakes(text: String, expected: String) {
        let problems = read(text).problems
        #expect(problems.count == 1)
        #expect(problems.first?.description.contains(expected) == true, "\(problems)")
    }

    @Test("A file without settings", arguments: ["", "\n# source: a\n", "---\n", "source:\n", "source: ~\ncamera:\n"])
    func nothing(text: String) {
        #expect(read(text).problems.isEmpty)
        #expect(read(text).entries.isEmpty)
    }

    @Test("A file that is too long, too deep or no text is refused without a crash")
    func limits() {
        let long = String(repeating: "#", count: ConfigurationFile.maximumLength) + "\n"
        #expect(read(long).problems.first?.message.contains("at most") == true)
        #expect(ConfigurationFile(path: "f", content: Data([0xFF, 0xFE])).problems.count == 1)
        for brackets in ["[", "{", "- ", "? "] {
            #expect(!read(String(repeating: brackets, count: 8000)).problems.isEmpty)
        }
        // Each line doubles the size of the previous one.
        let laughs = (1...40).map { "a\($0): &a\($0) {x: *a\($0 - 1), y: *a\($0 - 1)}" }
        #expect(!read((["a0: &a0 {x: 1}"] + laughs).joined(separator: "\n")).problems.isEmpty)
    }

    @Test("A damaged file is refused or read without a crash")
    func damaged() {
        let whole = Array(
            "source: camera\ncamera: {size: 640x480}\nkeypads:\n  pad:\n    driver: script\n    file: \"/a\"\n".utf8)
        var chance = SplitMix64(seed: 11)
        for round in 0..<3000 {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<6, using: &chance) {
                let place = Int.random(in: 0..<bytes.count, using: &chance)
                switch Int.random(in: 0..<3, using: &chance) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array(":{}[]&*!|>'\"%@`#-? \n".utf8).randomElement(using: &chance)!, at: place)
                }
            }
            let file = ConfigurationFile(path: "f", content: Data(bytes))
            let unknown = file.entries.filter { ConfigurationKey.named($0.name) == nil }
            #expect(unknown.isEmpty, "seed 11, round \(round)")
        }
    }
}
