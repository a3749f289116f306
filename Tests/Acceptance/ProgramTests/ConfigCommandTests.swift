// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("login-kiosk config", .fewAtATime)
struct ConfigCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: scratch.url.appending(path: "config.yaml"))
    }

    private func config(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Run {
        var program = try Program("login-kiosk")
        program.environment = environment
        return try await program.run(["config"] + arguments + ["--config", scratch.path])
    }

    @Test("Every setting is shown with its source")
    func show() async throws {
        try write("source: camera:Door\nstore:\n  directory: /var/lib/login-kiosk\n")
        let environment = ["LOGIN_KIOSK_LOG_LEVEL": "debug"]
        let text = try await config("show", "--state", "/s", environment: environment)
        #expect(text.status == 0 && text.errors.isEmpty, "\(text)")
        let rows = text.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        func row(_ name: String) -> [Substring] { rows.first { $0.first == Substring(name) } ?? [] }
        #expect(row("source")[1...].joined(separator: " ") == "camera:Door \(scratch.path("config.yaml")):1")
        #expect(row("store.directory")[1...].joined(separator: " ") == "/s --state")
        #expect(row("log-level")[1...].joined(separator: " ") == "debug $LOGIN_KIOSK_LOG_LEVEL")
        #expect(row("screen.plain")[1...].joined(separator: " ") == "false default")
        #expect(row("policy.weak-pins")[1...].joined(separator: " ") == "warn default")
        #expect(row("menu.one-time-password")[1...].joined(separator: " ") == "true default")
        #expect(row("camera.controls.*")[1...].joined(separator: " ") == "- not set")
        let json = try await config("show", "--json", environment: environment)
        #expect(
            json.output.contains(#"{"name":"log-level","origin":"$LOGIN_KIOSK_LOG_LEVEL","value":"debug"}"#), "\(json)")
    }

    @Test("A mistake is reported with its line, by check and by the commands that read it")
    func mistakes() async throws {
        try write("source: camera\nscreen:\n  plian: true\n")
        let place = "\(scratch.path("config.yaml")):3: 'screen.plian' is not a setting"
        try await config("check").expect(78, place)
        try await Program("login-kiosk").run(["run", "--config", scratch.path, "--state", scratch.path("s")]).expect(
            78, place)
        try await config("show").expect(0, place)
    }

    /// Otherwise the TLS library would find the mistake at the first login.
    @Test func anOptionIsCheckedAsItsSettingIs() async throws {
        let authorities = scratch.path("ca.pem")
        try Data("no certificate\n".utf8).write(to: URL(filePath: authorities))
        let places = ["--config", scratch.path, "--state", scratch.path("s")]
        for command in [["otp", "--user", "a"], ["trust", "pin", "login.example.com"]] {
            try await Program("login-kiosk").run(command + ["--ca-file", authorities] + places).expect(
                78, "\(authorities) holds no certificate")
        }
    }

    @Test(arguments: [
        ("source: file,speed=3:/a\n", ":1: the source has the unknown option 'speed=3'"),
        ("camera:\n  controls: {exposure: bright}\n", ":2: a camera has no 'exposure=bright'"),
        ("network: {ca-file: /none}\n", ":1: /none cannot be read"),
        ("keypads: {a: {driver: script}}\n", ":1: keypads.a: "),
        ("keypads:\n  a: {driver: console, file: /k}\n", ":2: keypads.a: "),
        ("keypads:\n  a: {driver: gpio, rows: 1/2}\n", ":2: keypads.a: "),
        ("doors:\n  a:\n    service: https://a.test\n    action: gpio\n", ":3: doors.a: 'line' is missing"),
        (
            "signing:\n  applications:\n    a: {service: https://a.test, address: b}\n",
            ":3: 'signing.applications.a.address' is a web address"
        ),
        (
            """
            signing:
              applications:
                a: {service: https://a.test, address: https://b.test}
                b: {service: https://A.test:443/x, address: https://c.test}

            """, ":4: 'signing.applications.b.service': this service has an application already"
        ),
        (
            "doors:\n  a: {service: \"https://a.test\", action: gpio,\n    line: 1, pulse: 61}\n",
            ":3: doors.a: 'pulse' is"
        ),
        ("doors: {a: {service: \"https://a.test\", action: gpio, line: 1}}\n", ":1: doors.a: the platform wants"),
        (
            "network: {company-id: a}\ndoors: {a: {service: \"https://a.test\", action: command, command: /none}}\n",
            ":2: doors.a: /none is not a program"
        ),
        ("screen: {language: xx}\n", ":1: 'screen.language' is one of en"),
        ("keypads: {a: {driver: touch, chip: x}}\n", ":1: keypads.a: 'chip=x' names no input device"),
        ("screen: {web-file: screen.html}\n", ":1: 'screen.web-file' needs a screen.web-port"),
        ("screen: {web-port: 8490, web-keys: true}\n", ":1: 'screen.web-keys' needs a screen.web-file"),
    ])
    func valuesWithoutMeaning(text: String, expected: String) async throws {
        try write(text)
        try await config("check").expect(78, expected)
    }

    @Test func nothingWrong() async throws {
        #expect(try await config("check").output == "there are no files of settings\n")
        try write("source: camera\n")
        #expect(try await config("check").output == "ok: \(scratch.path("config.yaml"))\n")
    }

    @Test("The default configuration of an installation is valid")
    func shipped() async throws {
        try write(try ProjectFile.text("deploy/config/config.yaml"))
        try await config("check").expect(0)
        #expect(try await config("show").output.contains("/var/lib/login-kiosk-key/identities.key"))
    }
}
