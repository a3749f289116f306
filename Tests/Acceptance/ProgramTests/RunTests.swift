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

    /// The browser whose code the camera sees is logged in. The page has no other way to the kiosk.
    @Test func anotherPictureIsAnotherSession() async throws {
        let service = try await ServiceWithUser(user: "carol@example.com", pin: "2583", in: scratch)
        let shown = try await SiteClient(opening: service.site)
        let hidden = try await SiteClient(opening: service.site)
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
        try scratch.write(QRPicture.encode("no login").png(), to: "pictures/a.png")
        let keys = try scratch.write("enter\n", to: "keys")
        try await scratch.kiosk(["run", "--source", scratch.path("pictures"), "--keys", keys]).expect(
            0, output: "login-kiosk setup")
    }

    @Test(arguments: [
        (["LANG": "fr_FR.UTF-8"], [], "Aucun service de confiance"),
        (["LANG": "fr_FR.UTF-8"], ["--language", "bg"], "Няма настроена доверена услуга"),
        (["LANG": "ja_JP.UTF-8"], [], "No trusted service"),
    ])
    func languages(environment: [String: String], options: [String], words: String) async throws {
        var program = try Program("login-kiosk")
        program.environment = environment
        try await program.run(scratch.atAWall(keys: "enter\n") + options).expect(0, output: words)
    }

    /// The scanner and the script end at about the same time, so the kiosk may write to a scanner that has ended.
    /// This must not end the kiosk by a signal.
    @Test func aScannerThatGoesFirstEndsNothing() async throws {
        let program = try Program("login-kiosk")
        let arguments = try scratch.atAWall(keys: "")
        for round in 0..<TestEffort.rounds(10) {
            let run = try await program.run(arguments)
            try #require(run.status == 0, "round \(round): \(run)")
        }
    }

    /// If another program has the port, the kiosk works without page and lamps.
    @Test func aScreenThatCannotBeHadStopsNothing() async throws {
        let other = PageServer { _ in .html("") }
        let options = ["--web", "\(other.port)", "--lights", "green=1,chip=/dev/nowhere"]
        let run = try BackgroundProgram("login-kiosk", scratch.atAWall() + options, in: scratch)
        try await run.output(containing: "login-kiosk setup")
        try await run.error(containing: "web screen is missing")
        try await run.error(containing: "lights are missing")
        #expect(try await run.end() == 0, "\(run.errorText)")
        #expect(run.errorText.matches(of: /web screen is missing/).count == 1, "\(run.errorText)")
        #expect(run.errorText.contains("127.0.0.1:\(other.port)"), "\(run.errorText)")
        #expect(run.errorText.matches(of: /\/dev\/nowhere.*lights are missing/).count == 1, "\(run.errorText)")
    }

    @Test func mistakes() async throws {
        let keys = try scratch.write("enter\n", to: "keys")
        for (options, status, words) in [
            (["--source", "a.png"], 64, "hint: name a keypad"),
            (["--source", "a.png", "--keys", scratch.path("none")], 66, ""),
            (["--source", "file,speed=3:a.png", "--keys", keys], 64, "speed=3"), (["--language", "xx"], 64, ""),
            (["--web-file", "a"], 64, ""), (["--web", "8490", "--web-keys"], 64, ""), (["--web", "70000"], 64, ""),
            (["--lights", "blue=1"], 64, ""), (["--speech", "radio"], 64, "headphones"),
        ] as [([String], Int32, String)] {
            let run = try await scratch.kiosk(["run"] + options).expect(status)
            #expect(words.isEmpty || run.errors.contains(words), "\(run)")
        }
        try scratch.write("enter\npress 4711\n", to: "keys")
        let badKeys = try await scratch.kiosk(["run", "--source", "a.png", "--keys", keys]).expect(
            65, "keys: line 2: expected one of")
        #expect(!badKeys.errors.contains("4711"), "a line may be a PIN")
    }
}
