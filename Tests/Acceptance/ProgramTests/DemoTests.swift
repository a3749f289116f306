// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Testing

@Suite("login-kiosk demo", .fewAtATime)
struct DemoTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The main job: everything on one machine, and real on both sides.
    @Test func unattendedItLogsABrowserIn() async throws {
        let run = try await Program("login-kiosk").run(["demo"]).expect(0)
        #expect(run.output.hasSuffix("\nlogin succeeded\n"), "\(run)")
        #expect(run.errors == "", "\(run)")
        for sentence in [
            "Do you want to log in here?", "its link is followed", "Type the new PIN again", "Login successful",
            "the protected page greets alice@example.com", "Wrong PIN",
        ] {
            #expect(run.output.contains(sentence), "\(sentence) in \(run)")
        }
    }

    @Test func aScriptReadsTheSteps() async throws {
        struct Report: Decodable {
            struct Step: Decodable {
                let name: String
                let seconds: Double
            }
            let version: Int
            let outcome: String
            let steps: [Step]
        }
        let run = try await Program("login-kiosk").run(["demo", "--json", "--state", scratch.path("state")])
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(run.status == 0 && report.version == 1 && report.outcome == "login succeeded", "\(run)")
        #expect(
            report.steps.map(\.name) == [
                "the backend starts", "the browser opens the login page",
                "the kiosk reads the code and asks for consent", "a new user types an e-mail address",
                "the activation mail comes and its link is followed", "the kiosk fetches both shares of the secret",
                "the user chooses a PIN and types it twice", "the PIN logs the browser in",
                "the browser logs out and shows a new code", "the kiosk reads the new code", "a wrong PIN is refused",
                "the right PIN still logs in",
            ])
        #expect(report.steps.allSatisfy { $0.seconds >= 0 })
        // The directory that it kept is a normal backend's.
        let users = try await Program("login-kiosk").run(
            ["backend", "users", "--state", scratch.path("state/backend")])
        #expect(users.output.contains("alice@example.com"), "\(users)")
        try await Program("login-kiosk").run(["demo", "--unattended", "--state", scratch.path("state")]).expect(
            73, "hint: name another directory")
    }

    @Test func toldToStopItLeavesNothing() async throws {
        let temporary = scratch.path("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let demo = try BackgroundProgram(
            "login-kiosk", ["demo"], environment: ["TMPDIR": temporary], in: scratch)
        demo.send(SIGTERM, onOutput: "Do you want to log in here?")
        #expect(try await demo.waitForEnd() == 75, "\(demo.errorText)")
        #expect(demo.errorText.contains("was told to stop"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    @Test("A person reads, presses a key, sees the first screen, and gets another code after \"Not me\"")
    func aPersonAtATerminal() async throws {
        let terminal = try FlowTerminal(["demo", "--language", "en"], in: scratch)
        try await terminal.shows("Press any key to begin.")
        for words in ["The login page: http://127.0.0.1:", "the link followed", "press Ctrl-C"] {
            #expect(terminal.text.contains(words), "\(words) in \(terminal.text)")
        }
        try await terminal.press(.enter)
        try await terminal.shows("Scan the login QR code")
        try await terminal.shows("Do you want to log in here?")
        try await terminal.press(.back)
        try await terminal.shows("Nobody was logged in.")
        try await terminal.press(.enter)
        try await terminal.shows("Do you want to log in here?")
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
    }

    @Test func mistakes() async throws {
        try await Program("login-kiosk").run(["demo", "--unattended", "--source", "somewhere.png"]).expect(
            64, "it goes without --source")
        let place = try await Program("login-kiosk").run(["demo", "--state", "/proc/nowhere"])
        #expect(place.status != 0 && place.errors.contains("/proc/nowhere"), "\(place)")
    }
}
