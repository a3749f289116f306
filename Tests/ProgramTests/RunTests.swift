// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Testing

/// The kiosk without hardware: a picture for the camera, a script for the keypad, a backend in a process of its own.
@Suite("login-kiosk run")
struct RunTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var places: [String] { ["--state", scratch.path("kiosk"), "--config", scratch.path("config")] }

    private func kiosk(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(arguments + places)
    }

    @Test func aPictureAndAScriptLogABrowserIn() async throws {
        let backend = try BackgroundProgram(
            "login-kiosk", ["backend", "--listen", "127.0.0.1:0", "--state", scratch.path("backend")], in: scratch)
        let site = try await backend.line(after: "serving ")
        #expect(try await kiosk("trust", "add", String(site.dropFirst("http://".count))).status == 0)

        let enrolment = [
            "enroll", "--backend", site, "--user", "carol@example.com", "--allow-loopback-http", "--wait", "0",
        ]
        let begun = try await Program("login-kiosk").run(enrolment + places)
        #expect(begun.status == 88 && begun.errors.contains("open the link in the mail"), "\(begun)")
        let activation = try await Program("login-kiosk").run(
            ["backend", "activate", "carol@example.com", "--state", scratch.path("backend")])
        #expect(activation.status == 0, "\(activation)")
        let ended = try await Program("login-kiosk").run(enrolment + places, input: "2580\n")
        #expect(ended.status == 0, "\(ended)")

        let browser = URLSession(configuration: .ephemeral)
        func get(_ path: String) async throws -> Data {
            try await browser.data(from: try #require(URL(string: site + path))).0
        }
        _ = try await get("/")
        try await get("/qr.png").write(to: scratch.url.appending(path: "code.png"))
        try Data("# Consent, then the PIN.\nwait 5\nenter\nwait 3\ntype 2580\nenter\nwait 3\n".utf8)
            .write(to: scratch.url.appending(path: "keys"))
        let run = try BackgroundProgram(
            "login-kiosk",
            [
                "run", "--source", scratch.path("code.png"), "--keys", scratch.path("keys"), "--allow-loopback-http",
            ] + places, in: scratch)
        // The page asks until the kiosk is done, or else the backend gives the login up.
        while run.isRunning {
            _ = try await get("/session")
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await run.waitForEnd() == 0, "\(run.errorText)")
        #expect(run.outputText.contains("Login successful"), "\(run.outputText)")
        #expect(String(decoding: try await get("/protected"), as: UTF8.self).contains("carol@example.com"))
        #expect(try await backend.end() == 0, "\(backend.errorText)")
    }

    @Test("With nothing trusted the screen says what to do, and the kiosk ends with its source and script")
    func firstRun() async throws {
        let folder = scratch.path("pictures")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("P5 4 4 255\n0123456789abcdef".utf8).write(to: URL(filePath: folder + "/a.pgm"))
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let run = try await kiosk("run", "--source", folder, "--keys", scratch.path("keys"))
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("trust add"), "\(run)")
    }

    @Test func mistakes() async throws {
        let noKeys = try await kiosk("run", "--source", "a.png")
        #expect(noKeys.status == 64 && noKeys.errors.contains("hint: give a script of keys"), "\(noKeys)")
        try Data("enter\npress 4711\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let badKeys = try await kiosk("run", "--source", "a.png", "--keys", scratch.path("keys"))
        #expect(badKeys.status == 65 && badKeys.errors.contains("keys: line 2: expected one of"), "\(badKeys)")
        #expect(!badKeys.errors.contains("4711"), "a line may be a PIN")
        let noFile = try await kiosk("run", "--source", "a.png", "--keys", scratch.path("none"))
        #expect(noFile.status == 66, "\(noFile)")
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let badSource = try await kiosk("run", "--source", "file,speed=3:a.png", "--keys", scratch.path("keys"))
        #expect(badSource.status == 64 && badSource.errors.contains("speed=3"), "\(badSource)")
    }
}
