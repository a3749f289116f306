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
            try await Program("login-kiosk").run([command, "--help"]).expect(0, output: "login-kiosk-\(command)", words)
        }
    }

    @Test(arguments: ["demo", "backend"])
    func whatIsNotInstalledIsSaid(command: String) async throws {
        let kiosk = try installation(["login-kiosk"])
        try await kiosk.run([command, "--help"]).expect(
            69, "login-kiosk-\(command) is not installed", "hint: install it: apt-get install login-kiosk-\(command)",
            printing: "")
    }

    /// A demonstration without the programs that it starts.
    @Test func theDemonstrationNeedsBoth() async throws {
        let demo = try installation(["login-kiosk-demo", "login-kiosk-backend"])
        try await demo.run(["--unattended"]).expect(69, "apt-get install login-kiosk,")
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
        let (backend, _) = try await BackgroundProgram.backend(in: scratch)
        let status = try String(contentsOfFile: "/proc/\(backend.processID)/status", encoding: .utf8)
        // The kernel keeps 15 characters.
        #expect(status.hasPrefix("Name:\tlogin-kiosk-bac\n"))
        #expect(try await backend.end() == 0)
    }

    @Test func everyProgramTellsTheSameVersion() async throws {
        var versions: Set<String> = []
        for name in ["login-kiosk", "login-kiosk-backend", "login-kiosk-demo", "login-kiosk-dev"] {
            let run = try await Program(name).run(["--version"]).expect(0)
            versions.insert(run.output)
        }
        #expect(versions.count == 1 && versions.first?.contains(/^\d+\.\d+\.\d+\n$/) == true, "\(versions)")
    }
}
