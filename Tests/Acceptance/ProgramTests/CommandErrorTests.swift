// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Mistakes in a command line have the same form in all programs, and come with advice.
@Suite(.fewAtATime) struct CommandErrorTests {
    @Test(arguments: [
        ("login-kiosk", "trsut", "trsut: there is no such command", "did you mean: login-kiosk trust"),
        ("login-kiosk", "trust ad a.org", "ad: there is no such command", "did you mean: login-kiosk trust add"),
        ("login-kiosk", "frobnicate", "frobnicate: there is no such command", "see what there is: login-kiosk --help"),
        (
            "login-kiosk-backend", "usrs", "usrs: there is no such command", "did you mean: login-kiosk-backend users"
        ),
        (
            "login-kiosk", "trust add", "missing expected argument '<host> ...'", "see login-kiosk trust add --help"
        ),
        (
            "login-kiosk", "trust add a.org --pinn x", "unknown option '--pinn'. Did you mean '--pin'?",
            "see login-kiosk trust add --help"
        ),
        (
            "login-kiosk-demo", "--unattended --source a.png",
            "unattended, the camera films a browser of its own; it goes without --source",
            "see login-kiosk-demo show --help"
        ),
    ])
    func oneForm(program: String, arguments: String, problem: String, hint: String) async throws {
        let run = try await Program(program).run(arguments.split(separator: " ").map(String.init)).expect(
            64, printing: "")
        #expect(run.errors == "\(program): \(problem)\nhint: \(hint)\n", "\(run)")
    }

    /// Swift looks for the arguments beside the environment, which a library may have moved. Without them a server
    /// would start with its defaults.
    @Test func argumentsThatAPreloadedLibraryHidesAreMissed() async throws {
        let scratch = try Scratch()
        try Data(
            """
            #include <stddef.h>
            __attribute__((constructor)) static void hide(int count, char **words) { words[1] = NULL; }
            """.utf8
        ).write(to: scratch.url.appending(path: "hide.c"))
        let compiler = Program(executable: URL(filePath: "/usr/bin/cc"))
        try await compiler.run(
            ["-shared", "-fPIC", "-o", scratch.path("hide.so"), scratch.path("hide.c")]).expect(0)
        for name in ["login-kiosk", "login-kiosk-backend"] {
            var program = try Program(name)
            program.environment = ["LD_PRELOAD": scratch.path("hide.so")]
            try await program.run(["--version"]).expect(69, "the arguments are lost", printing: "")
        }
    }

    @Test func helpIsNoError() async throws {
        for arguments in [["help", "trust"], ["trust", "--help"], ["--help"]] {
            let run = try await Program("login-kiosk").run(arguments)
            #expect(run.status == 0 && run.errors.isEmpty && run.output.contains("USAGE: login-kiosk"), "\(run)")
        }
    }
}
