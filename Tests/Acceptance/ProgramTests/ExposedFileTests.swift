// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Files that other users could have changed, and names of other kinds of files, as an operator sees the errors.
@Suite("Files that others can change", .fewAtATime)
struct ExposedFileTests {
    let scratch: Scratch
    let config: String
    let state: String

    init() throws {
        scratch = try Scratch()
        config = scratch.path("config")
        state = scratch.path("state")
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String, _ mode: mode_t = 0o644) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(config)/\(name)"))
        setMode(mode, "\(config)/\(name)")
    }

    private func setMode(_ mode: mode_t, _ path: String) { #expect(unsafe chmod(path, mode) == 0) }

    private func run(_ words: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(words + ["--state", state, "--config", config])
    }

    /// - Parameter place: the path that is open to others.
    private func expectRefusal(_ run: Program.Run, at place: String) {
        #expect(run.status == 78, "\(run)")
        #expect(run.errors.contains("\(place) can be changed by other users (mode 0"), "\(run)")
        #expect(run.errors.contains("chmod go-w \(place)\n"), "\(run)")
    }

    @Test(arguments: ["config.yaml", "config.d/a.yaml", "config.d", ""])
    func settings(_ exposed: String) async throws {
        try FileManager.default.createDirectory(atPath: "\(config)/config.d", withIntermediateDirectories: true)
        try write("config.yaml", "source: camera\n")
        try write("config.d/a.yaml", "source: camera\n")
        try await run("config", "check").expect(0)
        let place = exposed.isEmpty ? config : "\(config)/\(exposed)"
        setMode(exposed.hasSuffix("yaml") ? 0o666 : 0o777, place)
        expectRefusal(try await run("config", "check"), at: place)
        expectRefusal(try await run("otp", "--user", "a"), at: place)
        try await run("doctor", "--source", "/nonexistent").expect(
            1, output: "failure  settings  ", "chmod go-w \(place)")
        // Nothing in such a file counts.
        let shown = try await run("config", "show")
        #expect(exposed != "config.yaml" || !shown.output.contains("config.yaml:"), "\(shown)")
    }

    @Test func theTrustList() async throws {
        try await run("trust", "add", "a.org").expect(0)
        let file = "\(config)/trusted"
        setMode(0o666, file)
        expectRefusal(try await run("trust", "list"), at: file)
        expectRefusal(try await run("trust", "add", "b.org"), at: file)
        expectRefusal(try await run("config", "check"), at: file)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a.org\n")
        let doctor = try await run("doctor", "--source", "/nonexistent")
        #expect(doctor.output.contains("hint: look whether") && doctor.output.contains("chmod go-w \(file)"))
        setMode(0o644, file)
        #expect(try await run("trust", "list").output == "a.org\n")
    }

    @Test(.enabled(if: geteuid() == 0, "needs the right to give files away"))
    func theTrustListOfAnotherUser() async throws {
        try await run("trust", "add", "a.org").expect(0)
        for place in ["\(config)/trusted", config] {
            #expect(unsafe chown(place, 4711, 4711) == 0)
            try await run("trust", "list").expect(78, "\(place) belongs to user 4711", "chown root \(place)\n")
            #expect(unsafe chown(place, 0, 0) == 0)
        }
    }

    @Test func whatSettingsName() async throws {
        let door = "\(config)/open", token = "\(config)/token", authority = "\(config)/ca.pem"
        try write("open", "#!/bin/sh\n", 0o777)
        try write("token", "secret\n", 0o644)
        try write("ca.pem", "-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----\n", 0o666)
        try write(
            "config.yaml",
            """
            network: {company-id: a, ca-file: \(authority)}
            doors:
              a: {service: "https://a.test", action: command, command: \(door)}
              b: {service: "https://a.test", action: webhook, url: "https://a.test/", token-file: \(token)}

            """)
        let check = try await run("config", "check").expect(78)
        for expected in [
            ":3: doors.a: \(door) can be changed by other users (mode 0777); ",
            ":4: doors.b: \(token) is open to other users (mode 0644); ", "chmod 600 \(token)",
            ":1: \(authority) cannot be read: \(authority) can be changed by other users (mode 0666); ",
        ] { #expect(check.errors.contains(expected), "\(check)") }
        for (path, mode) in [(door, 0o755), (token, 0o600), (authority, 0o644)] { setMode(mode_t(mode), path) }
        try await run("config", "check").expect(0)
        setMode(0o666, authority)
        try FileManager.default.removeItem(atPath: "\(config)/config.yaml")
        expectRefusal(try await run("otp", "--user", "a", "--ca-file", authority), at: authority)
    }

    @Test func theBackend() async throws {
        let folder = scratch.path("backend")
        let (service, _) = try await BackgroundProgram.backend(in: scratch)
        _ = try await service.end()
        setMode(0o777, folder)
        let program = try Program("login-kiosk")
        let serve = ["backend", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", folder]
        expectRefusal(try await program.run(serve), at: folder)
        expectRefusal(try await program.run(["backend", "users", "--state", folder]), at: folder)
        setMode(0o700, folder)
        for name in ["dta1/master", "backend.sqlite", "credentials"] {
            setMode(0o666, "\(folder)/\(name)")
            try await program.run(serve).expect(78, "chmod 600 \(folder)/\(name);")
            setMode(0o600, "\(folder)/\(name)")
        }
    }

    @Test("Settings in a pipe are refused at once, and a dangling link does not count as missing")
    func settingsThatAreNoFile() async throws {
        let file = "\(config)/config.yaml"
        #expect(unsafe mkfifo(file, 0o644) == 0)
        try await run("config", "check").expect(78, "\(file) is a named pipe, not a file")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "gone.yaml")
        try await run("config", "check").expect(78, "\(file) is a link to gone.yaml, which is not there")
    }

    @Test func aStoreThatIsAFile() async throws {
        try Data().write(to: URL(filePath: state))
        try await run("identities", "list").expect(66, "\(state) is a file, not a directory")
        let doctor = try await run("doctor", "--source", "/nonexistent")
        #expect(doctor.output.contains("\(state) is a file, not a directory"), "\(doctor)")
        try await Program("login-kiosk").run(["backend", "users", "--state", state]).expect(
            66, "\(state) is a file, not a directory")
    }

    @Test func aDirectoryInPlaceOfTheKey() async throws {
        let key = "\(config)/identities.key"
        try FileManager.default.createDirectory(atPath: key, withIntermediateDirectories: true)
        let run = try await run("otp", "--user", "a")
        #expect(run.errors.contains("\(key) is a directory, not a file") && !run.errors.contains("chmod"), "\(run)")
    }

    @Test(
        "Every command reports a state below a dangling link",
        arguments: [["identities", "list"], ["otp", "--user", "a"]])
    func stateBelowALinkToNothing(_ words: [String]) async throws {
        let link = scratch.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone")
        let run = try await Program("login-kiosk").run(words + ["--state", "\(link)/deep/state", "--config", config])
        #expect([66, 74].contains(run.status), "\(run)")
        #expect(run.errors.contains("\(link) is a link to gone, which is not there"), "\(run)")
    }
}
