// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("login-kiosk trust", .oneACore)
struct TrustCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func trust(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(
            ["trust"] + arguments + ["--state", scratch.path("state"), "--config", scratch.path("config")])
    }

    @Test func story() async throws {
        #expect(try await trust("list").output == "nothing is trusted yet; add a host: login-kiosk trust add HOST\n")
        #expect(
            try await trust("add", "login.example.com", "*.Example.org:8443").output
                == "trusted: login.example.com\ntrusted: *.example.org:8443\n")
        #expect(try await trust("add", "login.example.com").output == "already trusted: login.example.com\n")
        #expect(try await trust("list").output == "login.example.com\n*.example.org:8443\n")
        #expect(try await trust("remove", "login.example.com").output == "no longer trusted: login.example.com\n")
        #expect(try await trust("list", "--json").output.contains(#""trusted":["*.example.org:8443"],"version":1"#))
    }

    @Test func mistakes() async throws {
        let url = try await trust("add", "https://login.example.com/")
        #expect(url.status == 64, "\(url)")
        #expect(url.errors.contains("expected [*.]host[:port]"))
        let wide = try await trust("add", "*.com")
        #expect(wide.status == 64 && wide.errors.contains("two labels"), "\(wide)")
        let unknown = try await trust("remove", "a.org")
        #expect(unknown.status == 65 && unknown.errors.contains("hint: see what is"), "\(unknown)")
    }

    @Test("A damaged list stops the command and is left as it was")
    func damaged() async throws {
        _ = try await trust("add", "a.org")
        let file = scratch.path("config/trusted")
        try Data("a.org\nnot a host\n".utf8).write(to: URL(filePath: file))
        let run = try await trust("add", "b.org")
        #expect(run.status == 78 && run.errors.contains("\(file):2:"), "\(run)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "a.org\nnot a host\n")
    }

    @Test func homeless() async throws {
        var program = try Program("login-kiosk")
        program.environment = ["HOME": ""]
        let run = try await program.run(["trust", "list"])
        #expect(run.status == 78 && run.errors.contains("--state DIR --config DIR"), "\(run)")
    }
}
