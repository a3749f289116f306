// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PictureTestKit
import Testing

/// The kiosk without hardware: a picture for the camera, a script for the keypad, a backend in a process of its own.
@Suite("login-kiosk run", .fewAtATime)
struct RunTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var places: [String] { ["--state", scratch.path("kiosk"), "--config", scratch.path("config")] }

    private func kiosk(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(arguments + places)
    }

    /// The browser whose code the camera sees is logged in. The page has no other way to the kiosk.
    @Test func anotherPictureIsAnotherSession() async throws {
        let service = try await EnrolledService(user: "carol@example.com", pin: "2583", in: scratch)
        let shown = try await TestBrowser(site: service.site)
        let hidden = try await TestBrowser(site: service.site)
        let picture = Array(try await hidden.picture())
        // The page of one browser, with another browser's picture.
        let html = try await shown.page("/")
        let page = PageServer { $0.path == "/" ? .html(html) : PageServer.Reply(body: picture) }
        let film = try await PageFilm(of: page.address(), in: scratch)
        try await service.logIn(source: film.source, in: scratch, polling: [shown, hidden])
        #expect(try await hidden.page("/protected").contains("carol@example.com"))
        #expect(try await !shown.page("/protected").contains("carol@example.com"))
        try await service.end()
    }

    @Test("Without a trust list the screen gives advice, and the kiosk ends with its source and script")
    func firstRun() async throws {
        let folder = scratch.path("pictures")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(QRPicture.encode("no login").png()).write(to: URL(filePath: folder + "/a.png"))
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let run = try await kiosk("run", "--source", folder, "--keys", scratch.path("keys"))
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("login-kiosk setup"), "\(run)")
    }

    @Test(arguments: [
        (["LANG": "fr_FR.UTF-8"], [], "Aucun service de confiance"),
        (["LANG": "fr_FR.UTF-8"], ["--language", "bg"], "Няма настроена доверена услуга"),
        (["LANG": "ja_JP.UTF-8"], [], "No trusted service"),
    ])
    func languages(environment: [String: String], options: [String], words: String) async throws {
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.y4m"))
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        var program = try Program("login-kiosk")
        program.environment = environment
        let run = try await program.run(
            ["run", "--source", scratch.path("a.y4m"), "--keys", scratch.path("keys")] + options + places)
        #expect(run.status == 0 && run.output.contains(words), "\(run)")
    }

    /// The scanner and the script end at about the same time, so the kiosk may write to a scanner that has ended.
    /// This must not end the kiosk by a signal.
    @Test func aScannerThatGoesFirstEndsNothing() async throws {
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.y4m"))
        for round in 0..<TestEffort.rounds(20) {
            let run = try await kiosk("run", "--source", scratch.path("a.y4m"), "--keys", "/dev/null")
            try #require(run.status == 0, "round \(round): \(run)")
        }
    }

    /// If another program has the port, the kiosk works without page and lamps.
    @Test func aScreenThatCannotBeHadStopsNothing() async throws {
        let other = PageServer { _ in .html("") }
        let port = try #require(URL(string: other.address())?.port)
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.y4m"))
        try Data("wait 3600\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let run = try BackgroundProgram(
            "login-kiosk",
            [
                "run", "--source", scratch.path("a.y4m"), "--keys", scratch.path("keys"), "--web", "\(port)",
                "--lights", "green=1,chip=/dev/nowhere",
            ] + places, in: scratch)
        try await run.output(containing: "login-kiosk setup")
        try await run.error(containing: "web screen is missing")
        try await run.error(containing: "lights are missing")
        #expect(try await run.end() == 0, "\(run.errorText)")
        #expect(run.errorText.matches(of: /web screen is missing/).count == 1, "\(run.errorText)")
        #expect(run.errorText.contains("127.0.0.1:\(port)"), "\(run.errorText)")
        #expect(run.errorText.matches(of: /\/dev\/nowhere.*lights are missing/).count == 1, "\(run.errorText)")
    }

    @Test func mistakes() async throws {
        let noKeys = try await kiosk("run", "--source", "a.png")
        #expect(noKeys.status == 64 && noKeys.errors.contains("hint: name a keypad"), "\(noKeys)")
        try Data("enter\npress 4711\n".utf8).write(to: scratch.url.appending(path: "keys"))
        let badKeys = try await kiosk("run", "--source", "a.png", "--keys", scratch.path("keys"))
        #expect(badKeys.status == 65 && badKeys.errors.contains("keys: line 2: expected one of"), "\(badKeys)")
        #expect(!badKeys.errors.contains("4711"), "a line may be a PIN")
        let noFile = try await kiosk("run", "--source", "a.png", "--keys", scratch.path("none"))
        #expect(noFile.status == 66, "\(noFile)")
        try Data("enter\n".utf8).write(to: scratch.url.appending(path: "keys"))
        for options in [
            ["--language", "xx"], ["--web-file", "a"], ["--web", "8490", "--web-keys"], ["--web", "70000"],
            ["--lights", "blue=1"],
        ] {
            let bad = try await Program("login-kiosk").run(["run"] + options + places)
            #expect(bad.status == 64, "\(bad)")
        }
        let badSource = try await kiosk("run", "--source", "file,speed=3:a.png", "--keys", scratch.path("keys"))
        #expect(badSource.status == 64 && badSource.errors.contains("speed=3"), "\(badSource)")
    }
}
