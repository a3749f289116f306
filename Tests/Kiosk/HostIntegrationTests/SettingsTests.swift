// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskMachine
import Patience
import Testing

@testable import HostIntegration

/// All settings, as files, pages and programs see them.
@Suite("Settings") struct SettingsTests {
    /// - Parameter values: texts of options by the settings' names.
    private static func configuration(_ values: [String: String]) -> KioskConfiguration {
        KioskConfiguration(directory: nil, state: nil, environment: [:], options: values)
    }

    @Test("Every setting is found by its name, and its default is valid")
    func names() {
        let names = ConfigurationKey.all.map(\.name)
        #expect(names.count > 70 && Set(names).count == names.count)
        for key in ConfigurationKey.all {
            #expect(ConfigurationKey.named(key.name)?.name == key.name)
            if let standard = key.standard { #expect(key.problem(key.name, standard) == nil, "\(key.name)") }
        }
    }

    @Test("Every text of a file comes back with its line, and is a problem or a value")
    func roundTrip() {
        var chance = SplitMix64(seed: 45)
        let samples = [
            "0", "4", "90", "100", "auto", "none", "never", "true", "de", "card0", "a.de", "10.0.0.0/8", "/a",
        ]
        for round in 0..<TestEffort.rounds(400) {
            let key = ConfigurationKey.all.randomElement(using: &chance)!
            let name = key.name.replacing("*", with: "x")
            let choices: [String] = if case .choice(let words) = key.kind { words } else { samples }
            let text = (choices + [key.standard].compactMap(\.self)).randomElement(using: &chance)!
            let read = ConfigurationFile(path: "f", content: Data(FirstStartFile.text([name: text]).utf8))
            if key.kind == .flag, !["true", "false"].contains(text) {
                #expect(read.entries.isEmpty && read.problems.count == 1, "seed 45, round \(round)")
            } else {
                #expect(read.entries.map(\.name) == [name] && read.entries.map(\.value) == [text], "round \(round)")
                if case .choice = key.kind { #expect(key.problem(name, text) == nil, "seed 45, round \(round)") }
            }
        }
    }

    @Test("A hostile text is a valid value or one problem that names the setting, and otherwise the default applies")
    func fuzz() {
        var chance = SplitMix64(seed: 46)
        let pieces = [
            "", " ", "-", "+", "0", "7", "99999999999999999999", "never", "none", "auto", "camera", ",", ":", "/", "=",
            "@", "é", "\u{0}", "\u{202E}", "card", "1.2.3.4", "/33", "::", "https://", "true", "green=", "\n",
        ]
        let keys = ConfigurationKey.all.filter { !$0.name.contains("*") && $0.kind != .flag }
        var invalid = 0
        for round in 0..<TestEffort.rounds(3000) {
            let key = keys.randomElement(using: &chance)!
            let text = (0..<Int.random(in: 0..<5, using: &chance)).map { _ in
                pieces.randomElement(using: &chance)!
            }.joined()
            let problems = Self.configuration([key.name: text]).problems
            #expect(problems.count <= 1, "seed 46, round \(round): \(problems)")
            guard let problem = problems.first else { continue }
            invalid += 1
            let last = ConfigurationKey.parts(key.name).last ?? ""
            #expect(problem.message.contains(last), "seed 46, round \(round): \(problem)")
        }
        #expect(invalid > 300)
    }

    @Test(
        "An invalid value is a problem at its place, and the default applies",
        arguments: [
            ("camera.rest-after", "4", "'camera.rest-after' is a number of minutes from 5 to 1440, or never"),
            ("policy.registrations-per-hour", "1001", "'policy.registrations-per-hour' is a number up to 1000"),
            ("cards.lifetime", "0", "'cards.lifetime' is a number of days from 1 to 3650"),
            ("screen.scale", "201", "'screen.scale' is a percentage from 75 to 200"),
            ("screen.web-port", "65536", "'screen.web-port' is a number up to 65535"),
            ("screen.speech-device", "-x", "'screen.speech-device' is the name of a device in ALSA"),
            (
                "screen.lights", "blue=1",
                "'screen.lights': 'blue=1': expected one of green=, red=, buzzer=, chip=, active="
            ),
            ("screen.rotation", "45", "'screen.rotation' is one of 0, 90, 180, 270"),
            ("screen.pad", "random", "'screen.pad' is one of fixed, shuffled"),
            ("screen.display", "hdmi", "'screen.display' is auto, none, or a panel: card0, HDMI-A-1 or card0-HDMI-A-1"),
            (
                "screen.mail-domains", "a.de b.de c.de d.de",
                "'screen.mail-domains' are up to 3 domains of e-mail addresses such as example.com, separated by spaces"
            ),
            (
                "screen.mail-domains", "@example.com",
                "'screen.mail-domains' are up to 3 domains of e-mail addresses such as example.com, separated by spaces"
            ),
            (
                "network.allowed-addresses", "100.64.0.0/8",
                "'network.allowed-addresses' are networks such as 100.64.0.0/10 or 64:ff9b:1::/48, separated by blanks"
            ),
            ("camera.size", "huge", "a camera has no 'size=huge'"),
            ("policy.minimum-pin-length", "7", "'policy.minimum-pin-length' is one of 4, 5, 6"),
            ("signing.application", "a.test", "'signing.application' is a web address"),
            ("provisioning.folders", "a:b", "'provisioning.folders' are absolute paths, separated by colons"),
            ("policy.weak-pins", "", "'policy.weak-pins' is one of warn, refuse"),
            ("network.company-id", "", "'network.company-id' is a text that is not empty"),
        ])
    func sentences(name: String, text: String, expected: String) {
        let configuration = Self.configuration([name: text])
        #expect(configuration.problems.map(\.message) == [expected])
        #expect(configuration[\.camera.restAfter] == .seconds(3600) && configuration[\.screen.scale] == 100)
        #expect(configuration[\.policy.weakPINs] == .warn && configuration[\.screen.webPort] == nil)
    }

    @Test("Words that stand for nothing are values, too")
    func nothing() {
        let configuration = Self.configuration([
            "camera.rest-after": "never", "screen.display": "none", "screen.speech": "off", "menu.identities": "card",
        ])
        #expect(configuration.problems.isEmpty && configuration[\.camera.restAfter] == nil)
        #expect(configuration[\.screen.display] == nil && configuration[\.screen.speech] == nil)
        #expect(configuration[\.menu[.identities]] == .card && configuration[\.menu[.signing]] == nil)
    }

    @Test("docs/deployment.md lists every setting with its option and default, and those that a reload changes")
    func page() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/deployment.md").standardizedFileURL
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        var listed: Set<String> = []
        for line in lines where line.hasPrefix("| `") {
            let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 4 else { continue }
            let names = Self.names(in: cells[0])
            for name in names {
                let key = try #require(ConfigurationKey.all.first { $0.name == name }, "\(name) is no setting")
                listed.insert(name)
                if let option = key.option { #expect(cells[1] == "`\(option)`", "\(name)") }
                if let standard = key.standard, cells[3].hasPrefix("`"), !name.hasPrefix("provisioning.") {
                    #expect(cells[3] == "`\(standard)`", "\(name)")
                }
            }
        }
        let others = ConfigurationKey.all.map(\.name).filter { !listed.contains($0) }
        #expect(others.allSatisfy { $0.hasPrefix("doors.") }, "\(others) have no row")
        let start = try #require(lines.firstIndex { $0.hasPrefix("A reload waits") })
        let paragraph = lines[start...].prefix { !$0.hasPrefix("#") }.joined(separator: " ")
        let words = Self.words(paragraph).filter { !$0.contains(" ") }
        for key in ConfigurationKey.all {
            let isNamed = words.contains { key.name == $0 || key.name.hasPrefix("\($0).") }
            #expect(isNamed == key.isReread, "\(key.name)")
        }
    }

    /// Names in a cell, where one that begins with a point has the group of the one before.
    private static func names(in cell: String) -> [String] {
        words(cell).reduce(into: []) { names, word in
            let group = names.last.map { ConfigurationKey.parts($0).dropLast().joined(separator: ".") } ?? ""
            names.append(word.hasPrefix(".") ? group + word : word)
        }
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
    }
}
