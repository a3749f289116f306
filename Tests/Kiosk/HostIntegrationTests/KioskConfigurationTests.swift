// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskMachine
import PersonalCards
import Testing

@testable import HostIntegration

@Suite struct KioskConfigurationTests {
    private let files: FileTree

    init() throws { files = try FileTree() }

    private func load(environment: [String: String] = [:], options: [String: String] = [:]) -> KioskConfiguration {
        KioskConfiguration(directory: files.path(), state: "/s", environment: environment, options: options)
    }

    @Test("Without files the kiosk's defaults count")
    func standards() {
        let configuration = load()
        #expect(configuration.problems.isEmpty && configuration.files.isEmpty)
        #expect(configuration.setting("source")?.value == "camera")
        #expect(configuration.setting("source")?.origin == .standard)
        #expect(configuration.text("network.company-id") == nil)
        #expect(!configuration[\.screen.isPlain])
        let directories = configuration.directories(files.path())
        #expect(directories == KioskDirectories(state: "/s", configuration: files.path()))
        let homeless = KioskConfiguration(directory: nil, state: nil, environment: [:])
        #expect(homeless.directories("/c") == nil && homeless.text("source") == "camera")
    }

    @Test("The defaults of the policy are the kiosk's own")
    func policyIsTheKiosks() {
        let (configuration, own) = (load(), KioskPolicy())
        #expect(configuration[\.policy.minimumPINLength] == own.minimumPINLength)
        #expect(configuration[\.policy.weakPINs] == own.weakPINs)
        #expect(configuration[\.policy.identityChoice] == own.identityChoice)
        #expect(configuration[\.policy.registrationsPerHour] == own.registrationsPerHour)
        #expect(configuration[\.camera.restAfter] == own.cameraRest)
        #expect(configuration[\.cardLifetime] == CardPeriod.usualLifetime)
    }

    /// Except the login at the kiosk, which comes with doors. Tasks that most services lack are off by default.
    @Test("The operator can remove every task from the menu")
    func eachTaskHasASetting() {
        let settings = KioskTask.allCases.filter { $0 != .localLogin }.map { ConfigurationKey.named("menu.\($0.name)") }
        let kind = ConfigurationKey.Kind.choice(["true", "false", "card"])
        #expect(settings.allSatisfy { $0?.kind == kind && $0?.isReread == true }, "\(settings)")
        let names = ConfigurationKey.all.map(\.name).filter { $0.hasPrefix("menu.") }
        #expect(names.count == settings.count)
    }

    /// YAML's forms of true and false, and a task that only cards begin.
    @Test("A menu entry is on, off, or left to cards")
    func entriesOfTheMenu() throws {
        try files.file(
            "menu/config.yaml", "menu:\n  register-with-code: card\n  registration-code: no\n  identities: True\n")
        let configuration = layers("menu")
        #expect(configuration.problems.isEmpty, "\(configuration.problems)")
        #expect(configuration.text("menu.register-with-code") == "card")
        #expect(configuration.text("menu.registration-code") == "false")
        #expect(configuration.text("menu.identities") == "true")
    }

    /// Somebody who has seen a PIN could otherwise take the identity along.
    @Test("Codes for other devices are in the menu only if the operator wants them")
    func codesForOtherDevicesAreOff() throws {
        #expect(KioskTask.registrationCode.menuEntry == .onceWanted)
        let standards = ConfigurationKey.all.filter { $0.name.hasPrefix("menu.") && $0.standard == "false" }
        #expect(standards.map(\.name) == ["menu.registration-code"])
    }

    private func layers(_ names: String...) -> KioskConfiguration {
        KioskConfiguration(
            SettingSources(layers: names.map(files.path), directory: files.path(), state: "/s", environment: [:]))
    }

    @Test("A file masks the same name in weaker layers, and drop-ins of all layers are read in name order")
    func layered() throws {
        try files.file("vendor/config.yaml", "source: v\nlog-level: info\n")
        try files.file("vendor/config.d/50.yaml", "screen: {language: de}\npolicy: {weak-pins: refuse}\n")
        try files.file("etc/config.d/10.yaml", "screen: {language: fr}\nkeypads: {door: {driver: console}}\n")
        try files.file("run/config.d/30.yaml", "source: r\n")
        let all = layers("vendor", "etc", "run")
        #expect(all.problems.isEmpty, "\(all.problems)")
        #expect(
            all.files
                == ["vendor/config.yaml", "etc/config.d/10.yaml", "run/config.d/30.yaml", "vendor/config.d/50.yaml"]
                .map(files.path))
        #expect(
            all.setting("source") == setting("source", "r", .file(path: files.path("run/config.d/30.yaml"), line: 1)))
        #expect(all.text("screen.language") == "de" && all.text("log-level") == "info")
        #expect(all.text("keypads.door.driver") == "console")

        // The operator's file replaces the vendor's completely.
        try files.file("etc/config.yaml", "source: e\n")
        try files.file("etc/config.d/50.yaml", "policy: {weak-pins: warn}\n")
        let own = layers("vendor", "etc", "run")
        #expect(own.text("log-level") == "warning" && own.text("source") == "r")
        #expect(own.text("screen.language") == "fr" && own.text("policy.weak-pins") == "warn")

        // A link to /dev/null switches a file off, and an empty file sets nothing.
        try FileManager.default.createSymbolicLink(
            atPath: files.path("run/config.d/10.yaml"), withDestinationPath: "/dev/null")
        try files.file("run/config.yaml", "")
        let masked = layers("vendor", "etc", "run")
        #expect(masked.problems.isEmpty && masked.text("screen.language") == nil && masked.keypads.isEmpty)
        #expect(masked.files == ["run/config.yaml", "run/config.d/30.yaml", "etc/config.d/50.yaml"].map(files.path))
    }

    @Test("Each layer must belong to its owner only, and a file that another user may write is not read")
    func exposedLayer() throws {
        try files.file("vendor/config.d/50.yaml", "source: v\n")
        try files.file("run/config.d/60.yaml", "source: r\n")
        let open = files.path("run/config.d")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
        let configuration = layers("vendor", "etc", "run")
        #expect(configuration.text("source") == "v")
        #expect(configuration.problems.map(\.description).contains { $0.hasPrefix(open) && $0.contains("0777") })
    }

    @Test func whichDirectoriesAreLayers() {
        #expect(
            KioskDirectories.layers(of: "/etc/login-kiosk")
                == ["/usr/lib/login-kiosk", "/etc/login-kiosk", "/run/login-kiosk"])
        #expect(KioskDirectories.layers(of: "/home/x/.config/login-kiosk") == ["/home/x/.config/login-kiosk"])
    }

    @Test("Later sources win: file, drop-ins in order, credential, environment, option")
    func order() throws {
        try files.file("config.yaml", "source: a\nstore:\n  key-file: /k\n  directory: /var/a\ntrust-file: /t\n")
        try files.file("config.d/20.yaml", "source: c\n")
        try files.file("config.d/10.yaml", "log-level: debug\nsource: b\n")
        try files.file("config.d/30.txt", "nonsense")
        try files.file("credentials/identities.key", "key")
        let paths = ["config.yaml", "config.d/10.yaml", "config.d/20.yaml"].map(files.path)

        let alone = load()
        #expect(alone.files == paths)
        #expect(alone.setting("source") == setting("source", "c", .file(path: paths[2], line: 1)))
        #expect(alone.setting("log-level") == setting("log-level", "debug", .file(path: paths[1], line: 1)))
        #expect(alone.setting("store.key-file") == setting("store.key-file", "/k", .file(path: paths[0], line: 3)))
        var directories = KioskDirectories(state: "/var/a", configuration: "/c")
        directories.identityKeyFile = "/k"
        directories.trustFile = "/t"
        #expect(alone.directories("/c") == directories)

        let credentials = files.path("credentials")
        let said = load(
            environment: [
                "LOGIN_KIOSK_SOURCE": "d", "LOGIN_KIOSK_SCREEN_PLAIN": "1", "CREDENTIALS_DIRECTORY": credentials,
                "LOGIN_KIOSK_LOG_LEVEL": "info",
            ],
            options: ["log-level": "error", "network.allow-loopback-http": "true"])
        #expect(said.problems.isEmpty)
        #expect(said.setting("source") == setting("source", "d", .environment("LOGIN_KIOSK_SOURCE")))
        #expect(said[\.screen.isPlain])
        #expect(said.setting("store.key-file")?.origin == .credential(path: "\(credentials)/identities.key"))
        #expect(said.setting("log-level") == setting("log-level", "error", .commandLine("--log-level")))
        #expect(said[\.network.allowsLoopbackHTTP])
    }

    private func setting(_ name: String, _ value: String, _ origin: ConfigurationOrigin) -> ConfiguredSetting {
        ConfiguredSetting(name: name, value: value, origin: origin)
    }

    @Test("Names from the operator: controls keep their order, keypads know their drivers")
    func chosenNames() throws {
        try files.file("config.yaml", "camera:\n  controls: {focus: 30, exposure: auto}\n")
        try files.file(
            "config.d/1.yaml", "camera: {controls: {gain: 3}}\nkeypads: {door: {driver: script, file: /k}}\n")
        let configuration = load()
        #expect(configuration.problems.isEmpty)
        #expect(
            configuration.group("camera.controls").map { "\($0.name)=\($0.setting.value)" }
                == ["focus=30", "exposure=auto", "gain=3"])
        let keypad = try #require(configuration.keypads.first)
        #expect(configuration.keypads.count == 1)
        #expect(keypad.name == "door" && keypad.driver.value == "script" && keypad.options["file"]?.value == "/k")
    }

    @Test("Doors have names with blanks, numbered arguments, and a line for every setting")
    func doors() throws {
        try files.file("config.yaml", "doors:\n  Main hall:\n    action: command\n    arguments: {1: --open, 2: a b}\n")
        try files.file(
            "config.d/1.yaml", "doors: {Main hall: {service: \"https://a.test\"}, Lab: {line: 17, pulse: 0.5}}\n")
        let configuration = load()
        #expect(configuration.problems.isEmpty && configuration.doors.map(\.name) == ["Lab", "Main hall"])
        #expect(configuration.doors[0].settings.mapValues(\.value) == ["line": "17", "pulse": "0.5"])
        let hall = configuration.doors[1]
        #expect(
            hall.settings.mapValues(\.value) == [
                "action": "command", "arguments.1": "--open", "arguments.2": "a b", "service": "https://a.test",
            ])
        #expect(hall.settings["action"]?.origin == .file(path: files.path() + "/config.yaml", line: 3))
        #expect(load(environment: ["LOGIN_KIOSK_DOORS_LAB_LINE": "18"]).doors[0].settings["line"]?.value == "18")
    }

    @Test func documentsHaveTitlesAndAnOrder() throws {
        try files.file(
            "config.yaml", "signing: {documents: {rent: {file: /r, title: The rent}, debt: {file: /d}}}\n")
        let documents = load().documents
        #expect(documents.map(\.title) == ["debt", "The rent"])
        #expect(documents.map(\.file.value) == ["/d", "/r"])
    }

    @Test func applicationsHaveAService() throws {
        try files.file(
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
        ("scource: a\n", "config.yaml:1: 'scource' is not a setting"),
    ])
    func mistakes(text: String, expected: String) throws {
        try files.file("config.yaml", text)
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
        let gone = load(environment: ["LOGIN_KIOSK_STORE_DATABASE": "host=db"]).problems
        #expect(gone.count == 1 && gone[0].description.contains("'store.database' is gone, kiosks share no"), "\(gone)")
    }
}
