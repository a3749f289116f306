// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import HostIntegration

@Suite struct KioskConfigurationTests {
    let folder = FileManager.default.temporaryDirectory.appending(path: "configuration-\(UUID().uuidString)")

    private func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func load(environment: [String: String] = [:], options: [String: String] = [:]) -> KioskConfiguration {
        KioskConfiguration(directory: folder.path(), state: "/s", environment: environment, options: options)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test("Without files the kiosk's own choices stand")
    func standards() {
        let configuration = load()
        #expect(configuration.problems.isEmpty && configuration.files.isEmpty)
        #expect(configuration.setting("source")?.value == "camera")
        #expect(configuration.setting("source")?.origin == .standard)
        #expect(configuration.text("network.company-id") == nil)
        #expect(!configuration.flag("screen.plain"))
        let directories = configuration.directories(folder.path())
        #expect(directories == KioskDirectories(state: "/s", configuration: folder.path()))
        let homeless = KioskConfiguration(directory: nil, state: nil, environment: [:])
        #expect(homeless.directories("/c") == nil && homeless.text("source") == "camera")
    }

    @Test("What is said later wins: file, drop-ins in order, credential, environment, option")
    func order() throws {
        defer { clean() }
        try write("config.yaml", "source: a\nstore:\n  key-file: /k\n  directory: /var/a\ntrust-file: /t\n")
        try write("config.d/20.yaml", "source: c\n")
        try write("config.d/10.yaml", "log-level: debug\nsource: b\n")
        try write("config.d/30.txt", "nonsense")
        try write("credentials/identities.key", "key")
        let files = ["config.yaml", "config.d/10.yaml", "config.d/20.yaml"].map { folder.appending(path: $0).path() }

        let alone = load()
        #expect(alone.files == files)
        #expect(alone.setting("source") == setting("source", "c", .file(path: files[2], line: 1)))
        #expect(alone.setting("log-level") == setting("log-level", "debug", .file(path: files[1], line: 1)))
        #expect(alone.setting("store.key-file") == setting("store.key-file", "/k", .file(path: files[0], line: 3)))
        var directories = KioskDirectories(state: "/var/a", configuration: "/c")
        directories.identityKeyFile = "/k"
        directories.trustFile = "/t"
        #expect(alone.directories("/c") == directories)

        let credentials = folder.appending(path: "credentials").path()
        let said = load(
            environment: [
                "LOGIN_KIOSK_SOURCE": "d", "LOGIN_KIOSK_SCREEN_PLAIN": "1", "CREDENTIALS_DIRECTORY": credentials,
                "LOGIN_KIOSK_LOG_LEVEL": "info",
            ],
            options: ["log-level": "error", "network.allow-loopback-http": "true"])
        #expect(said.problems.isEmpty)
        #expect(said.setting("source") == setting("source", "d", .environment("LOGIN_KIOSK_SOURCE")))
        #expect(said.flag("screen.plain"))
        #expect(said.setting("store.key-file")?.origin == .credential(path: "\(credentials)/identities.key"))
        #expect(said.setting("log-level") == setting("log-level", "error", .commandLine("--log-level")))
        #expect(said.flag("network.allow-loopback-http"))
    }

    private func setting(_ name: String, _ value: String, _ origin: ConfigurationOrigin) -> ConfiguredSetting {
        ConfiguredSetting(name: name, value: value, origin: origin)
    }

    @Test("Names that the operator chooses: controls keep their order, keypads know their drivers")
    func chosenNames() throws {
        defer { clean() }
        try write("config.yaml", "camera:\n  controls: {focus: 30, exposure: auto}\n")
        try write("config.d/1.yaml", "camera: {controls: {gain: 3}}\nkeypads: {door: {driver: script, file: /k}}\n")
        let configuration = load()
        #expect(configuration.problems.isEmpty)
        #expect(
            configuration.group("camera.controls").map { "\($0.name)=\($0.setting.value)" }
                == ["focus=30", "exposure=auto", "gain=3"])
        let keypad = try #require(configuration.keypads.first)
        #expect(configuration.keypads.count == 1)
        #expect(keypad.name == "door" && keypad.driver.value == "script" && keypad.options["file"]?.value == "/k")
    }

    @Test("Doors have names with blanks, numbered arguments, and the line of every setting")
    func doors() throws {
        defer { clean() }
        try write("config.yaml", "doors:\n  Main hall:\n    action: command\n    arguments: {1: --open, 2: a b}\n")
        try write("config.d/1.yaml", "doors: {Main hall: {service: \"https://a.test\"}, Lab: {line: 17, pulse: 0.5}}\n")
        let configuration = load()
        #expect(configuration.problems.isEmpty && configuration.doors.map(\.name) == ["Lab", "Main hall"])
        #expect(configuration.doors[0].settings.mapValues(\.value) == ["line": "17", "pulse": "0.5"])
        let hall = configuration.doors[1]
        #expect(
            hall.settings.mapValues(\.value) == [
                "action": "command", "arguments.1": "--open", "arguments.2": "a b", "service": "https://a.test",
            ])
        #expect(hall.settings["action"]?.origin == .file(path: folder.path() + "/config.yaml", line: 3))
        #expect(load(environment: ["LOGIN_KIOSK_DOORS_LAB_LINE": "18"]).doors[0].settings["line"]?.value == "18")
    }

    @Test func documentsHaveTitlesAndAnOrder() throws {
        defer { clean() }
        try write(
            "config.yaml", "signing: {documents: {rent: {file: /r, title: The rent}, debt: {file: /d}}}\n")
        let documents = load().documents
        #expect(documents.map(\.title) == ["debt", "The rent"])
        #expect(documents.map(\.file.value) == ["/d", "/r"])
    }

    @Test func applicationsHaveAService() throws {
        defer { clean() }
        try write(
            "config.yaml",
            "signing: {applications: {shop: {service: https://a.test, address: https://b.test/app}}}\n")
        let configuration = load()
        #expect(configuration.problems.isEmpty && configuration.applications.map(\.name) == ["shop"])
        #expect(configuration.applications.map(\.service.value) == ["https://a.test"])
        #expect(configuration.applications.map(\.address.value) == ["https://b.test/app"])
    }

    @Test(arguments: [
        ("keypads: {a: {file: /k}}\n", "config.yaml:1: keypads.a has no driver"),
        ("signing: {documents: {a: {title: Rent}}}\n", "config.yaml:1: signing.documents.a has no file"),
        (
            "signing: {applications: {a: {service: https://a.test}}}\n",
            "config.yaml:1: signing.applications.a needs both, service and address"
        ),
        ("keypads: {a: {driver: wheel}}\n", "config.yaml:1: 'keypads.a.driver' is one of console, evdev, gpio, script"),
        ("log-level: loud\n", "config.yaml:1: 'log-level' is one of trace"),
        ("\nsource: ''\n", "config.yaml:2: 'source' is a text that is not empty"),
        ("scource: a\n", "config.yaml:1: 'scource' is no setting"),
    ])
    func mistakes(text: String, expected: String) throws {
        defer { clean() }
        try write("config.yaml", text)
        let problems = load().problems.map(\.description)
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }

    @Test func mistakesInTheEnvironment() {
        let problems = load(environment: ["LOGIN_KIOSK_SORCE": "a", "LOGIN_KIOSK_SCREEN_PLAIN": "perhaps"]).problems
        #expect(
            problems.map(\.description) == [
                "$LOGIN_KIOSK_SCREEN_PLAIN: 'screen.plain' is true or false",
                "$LOGIN_KIOSK_SORCE: no setting has this name",
            ])
    }
}
