// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Commands of the kiosk that run other programs, which can be installed separately.
@Suite("Commands that are separate programs", .fewAtATime)
struct CompanionTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A folder with copies of some programs, as on a system where others are not installed.
    private func installation(_ programs: [String]) throws -> Program {
        for name in programs { try scratch.install(Program(name).executable.path(), as: "bin/\(name)") }
        return Program(executable: scratch.url.appending(path: "bin/\(programs[0])"))
    }

    @Test func helpNamesThem() async throws {
        let help = try await Program("login-kiosk").run(["--help"])
        for command in ["demo", "backend"] { #expect(help.output.contains("\n  \(command) "), "\(help)") }
        for (command, words) in [("demo", "film "), ("backend", "operator-password")] {
            let own = try await Program("login-kiosk").run([command, "--help"])
            #expect(own.status == 0 && own.output.contains("login-kiosk-\(command)"), "\(own)")
            #expect(own.output.contains(words), "\(own)")
        }
    }

    @Test(arguments: ["demo", "backend"])
    func whatIsNotInstalledIsSaid(command: String) async throws {
        let kiosk = try installation(["login-kiosk"])
        let run = try await kiosk.run([command, "--help"])
        #expect(run.status == 69 && run.output.isEmpty, "\(run)")
        #expect(run.errors.contains("login-kiosk-\(command) is not installed"), "\(run)")
        #expect(run.errors.contains("hint: install it: apt-get install login-kiosk-\(command)"), "\(run)")
    }

    /// A demonstration without the programs that it starts.
    @Test func theDemonstrationNeedsBoth() async throws {
        let demo = try installation(["login-kiosk-demo", "login-kiosk-backend"])
        let run = try await demo.run(["--unattended"])
        #expect(run.status == 69 && run.errors.contains("apt-get install login-kiosk,"), "\(run)")
    }

    /// The program gets exact arguments, streams and exit code.
    @Test func nothingIsLostOnTheWay() async throws {
        let kiosk = try installation(["login-kiosk"])
        let script = "#!/bin/sh\nprintf '%s|' \"$@\"; cat; echo \"$$\" >&2; exit 42\n"
        try scratch.install(script: script, as: "bin/login-kiosk-backend")
        let run = try await kiosk.run(["backend", "--state", "a b", "", "--help", "ü"], input: "its input\n")
        #expect(run.output == "--state|a b||--help|ü|its input\n", "\(run)")
        #expect(run.status == 42, "\(run)")
    }

    /// The started process is the one that serves, so a service manager's signals reach it.
    @Test func itIsTheSameProcess() async throws {
        let backend = try BackgroundProgram(
            "login-kiosk",
            ["backend", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", scratch.path("state")], in: scratch)
        _ = try await backend.line(after: "serving ")
        let status = try String(contentsOfFile: "/proc/\(backend.processID)/status", encoding: .utf8)
        // The kernel keeps 15 characters.
        #expect(status.hasPrefix("Name:\tlogin-kiosk-bac\n"))
        #expect(try await backend.end() == 0)
    }

    @Test func everyProgramTellsTheSameVersion() async throws {
        var versions: Set<String> = []
        for name in ["login-kiosk", "login-kiosk-backend", "login-kiosk-demo", "login-kiosk-dev"] {
            let run = try await Program(name).run(["--version"])
            #expect(run.status == 0, "\(run)")
            versions.insert(run.output)
        }
        #expect(versions.count == 1 && versions.first?.contains(/^\d+\.\d+\.\d+\n$/) == true, "\(versions)")
    }
}
