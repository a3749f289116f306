// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Patience
import Testing
@testable import Signage

@Suite("The connections of lamps and buzzer")
struct SignalSettingsTests {
    @Test func whatCounts() throws {
        let all = try SignalSettings("green=GPIO5,red=6,buzzer=GPIO13,chip=pinctrl-rp1,active=low")
        #expect(all.chip == "pinctrl-rp1" && all.isActiveLow)
        #expect(
            all.parts.map(\.level) == [.green, .red, .buzzer] && all.parts.map(\.line) == ["GPIO5", "6", "GPIO13"])
        let one = try SignalSettings("buzzer=GPIO13")
        #expect(one.chip == nil && !one.isActiveLow && one.parts.map(\.level) == [.buzzer])
    }

    @Test(
        arguments: [
            ("", .unknownField("")), ("green", .unknownField("green")), ("blue=1", .unknownField("blue=1")),
            ("green=1,", .unknownField("")), ("Green=1", .unknownField("Green=1")), ("green=", .badValue("green=")),
            ("green=a b", .badValue("green=a b")), ("green=1,green=2", .twice("green")), ("chip=a", .noLine),
            ("green=1,red=1", .sharedLine), ("green=1,active=up", .badValue("active=up")),
            (String(repeating: "a", count: 257), .tooLong),
        ] as [(String, SignalSettingsError)])
    func mistakes(text: String, error: SignalSettingsError) {
        #expect(throws: error) { try SignalSettings(text) }
    }

    @Test(arguments: [21, 22] as [UInt64])
    func anyTextIsReadOrRefused(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "green", "red", "buzzer", "chip", "active", "=", "=", ",", ",", "low", "high", "GPIO5", "7", " ", "é", "\0",
        ]
        var read = 0
        for _ in 0..<50_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            guard let settings = try? SignalSettings(text) else { continue }
            read += 1
            for part in settings.parts { #expect(text.contains("=\(part.line)"), "seed \(seed): \(text)") }
        }
        #expect(read > 10, "the reader refuses nearly everything")
    }
}
