// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Patience
import Testing

@testable import Doors

@Suite struct DoorSettingsTests {
    static let strike = ["service": "https://app.test/shop", "action": "gpio", "line": "DOOR"]
    static let command = ["service": "https://app.test", "action": "command", "command": "/usr/bin/open-door"]
    static let webhook = ["service": "https://app.test", "action": "webhook", "url": "https://lock.test/open"]

    private func settings(_ fields: [String: String], _ more: [String: String]) throws -> DoorSettings {
        try DoorSettings("main", fields: fields.merging(more) { $1 }.filter { $0.value != "-" })
    }

    @Test func readsAStrike() throws {
        let plain = try settings(Self.strike, [:])
        #expect(plain.name == "main" && plain.service.absoluteText == "https://app.test/shop" && plain.backend == nil)
        guard case .gpio(let usual) = plain.action else { throw Unexpected() }
        #expect(usual.chip == nil && usual.line == "DOOR" && !usual.isActiveLow && usual.pulse == .seconds(3))
        let full = try settings(
            Self.strike,
            [
                "backend": "https://api.test", "chip": "pinctrl-rp1", "line": "17", "active": "low", "pulse": "0.25s",
            ])
        guard case .gpio(let strike) = full.action else { throw Unexpected() }
        #expect(full.backend?.origin.host == "api.test" && strike.chip == "pinctrl-rp1" && strike.line == "17")
        #expect(strike.isActiveLow && strike.pulse == .milliseconds(250))
    }

    static let pulses: [(String, Duration?)] = [
        ("3", .seconds(3)), ("3s", .seconds(3)), ("0.1", .milliseconds(100)), ("60", .seconds(60)),
        ("1.5s", .milliseconds(1500)), ("0.125", .milliseconds(125)), ("0", nil), ("0.099", nil), ("60.001", nil),
        ("61", nil), ("-1", nil), ("1e1", nil), ("", nil), ("s", nil), (".5", nil), ("1.", nil), ("1.2345", nil),
        ("1.2.3", nil), ("3 s", nil), ("3ms", nil), ("99999999999999999999", nil), ("\u{661}", nil),
    ]

    @Test(arguments: pulses) func readsAPulse(_ text: String, _ pulse: Duration?) throws {
        guard let pulse else {
            let error = #expect(throws: DoorSettingsError.self) { try settings(Self.strike, ["pulse": text]) }
            #expect(error?.field == "pulse")
            return
        }
        guard case .gpio(let strike) = try settings(Self.strike, ["pulse": text]).action else { throw Unexpected() }
        #expect(strike.pulse == pulse)
    }

    @Test func readsACommandAndAWebhook() throws {
        let words = ["arguments.1": "--door", "arguments.2": "main hall; rm -rf /", "arguments.3": ""]
        #expect(
            try settings(Self.command, words).action
                == .command("/usr/bin/open-door", arguments: ["--door", "main hall; rm -rf /", ""]))
        #expect(
            try settings(Self.webhook, ["token-file": "/etc/login-kiosk/lock.token"]).action
                == .webhook(try WebAddress("https://lock.test/open"), tokenFile: "/etc/login-kiosk/lock.token"))
    }

    static let mistakes: [([String: String], [String: String], String?)] = [
        (strike, ["service": "-"], "service"), (strike, ["service": "app.test"], "service"),
        (strike, ["action": "-"], "action"), (strike, ["action": "open"], "action"), (strike, ["line": "-"], "line"),
        (strike, ["active": "up"], "active"), (strike, ["backend": "x"], "backend"),
        (strike, ["command": "/bin/true"], "command"), (strike, ["colour": "red"], "colour"),
        (command, ["command": "-"], "command"), (command, ["command": "open-door"], "command"),
        (command, ["arguments.2": "x"], "arguments"), (command, ["arguments.x": "x"], "arguments"),
        (command, ["arguments.1": "a\u{0}b"], "arguments"), (command, ["pulse": "3"], "pulse"),
        (command, ["arguments.1": String(repeating: "x", count: 1025)], "arguments"),
        (webhook, ["url": "-"], "url"), (webhook, ["url": "lock.test"], "url"),
        (webhook, ["token-file": "token"], "token-file"), (webhook, ["line": "17"], "line"),
    ]

    @Test(arguments: mistakes) func saysWhatIsWrong(
        _ fields: [String: String], _ change: [String: String], _ field: String?
    ) throws {
        let error = #expect(throws: DoorSettingsError.self) { try settings(fields, change) }
        #expect(error?.field == field)
        #expect(error?.description.hasPrefix("'\(field ?? "")' ") == true)
    }

    @Test(arguments: ["", " main", "main ", "a\nb", String(repeating: "x", count: 33)])
    func refusesANameThatCannotBeShown(_ name: String) {
        let error = #expect(throws: DoorSettingsError.self) { try DoorSettings(name, fields: Self.strike) }
        #expect(error?.field == nil)
    }

    /// Settings with changed names and values give settings within their bounds, or an error with a text.
    @Test func survivesDamagedSettings() {
        let seed: UInt64 = 0xD005
        var random = SplitMix64(seed: seed)
        let names = [
            "service", "backend", "action", "chip", "line", "active", "pulse", "command", "arguments.1", "arguments.2",
            "arguments.10", "url", "token-file", "", ".", "arguments.",
        ]
        let values = [
            "gpio", "command", "webhook", "https://app.test", "/bin/true", "17", "low", "3", "59.999s", "", "\u{0}",
            "\u{202E}", String(repeating: "9", count: 2000), "https://", "-1", "0.1",
        ]
        for round in 0..<5000 {
            var fields = [Self.strike, Self.command, Self.webhook][round % 3]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                fields[names.randomElement(using: &random) ?? ""] = values.randomElement(using: &random)
            }
            do {
                let settings = try DoorSettings("main", fields: fields)
                if case .gpio(let strike) = settings.action {
                    #expect(DoorSettings.pulses.contains(strike.pulse), "seed \(seed), round \(round)")
                }
                if case .command(let path, let arguments) = settings.action {
                    #expect(path.hasPrefix("/") && arguments.count <= 2, "seed \(seed), round \(round)")
                }
            } catch {
                #expect(!error.description.isEmpty, "seed \(seed), round \(round)")
            }
        }
    }

    struct Unexpected: Error {}
}
