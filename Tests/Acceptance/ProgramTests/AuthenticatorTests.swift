// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Examples/Authenticator`, built from the libraries by a package of its own. `make test-sdk` builds it and passes
/// its path.
@Suite("An authenticator in another package", .fewAtATime)
struct AuthenticatorTests {
    private static let program = ProcessInfo.processInfo.environment["LOGIN_KIOSK_AUTHENTICATOR"]

    @Test(.enabled(if: program != nil, "make test-sdk builds it"))
    func enrollsAndLogsIn() async throws {
        let stage = try await OperatorStage(.milagro)
        let authenticator = Program(executable: URL(filePath: try #require(Self.program)))
        let user = "alice@example.com"
        let folder = stage.scratch.path("authenticator")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        func run(_ arguments: String..., lines: [String] = []) async throws -> Program.Run {
            try await authenticator.run([folder] + arguments, input: lines.map { $0 + "\n" }.joined())
        }
        func logIn(_ pin: String) async throws -> Program.Run {
            let page = try await stage.page()
            let browser = Task { try await page.poll() }
            defer { browser.cancel() }
            return try await run("login", user, lines: [page.code, pin])
        }
        let trusted = URL(filePath: folder).appending(path: "trusted")
        try Data("elsewhere.example\n".utf8).write(to: trusted)
        let untrusted = try await run("enroll", stage.site, user)
        #expect(untrusted.status == 1 && untrusted.errors.contains("UNTRUSTED_DOMAIN_ERROR"), "\(untrusted)")
        try Data("\(stage.site.dropFirst("http://".count))\n".utf8).write(to: trusted)
        let mailed = try await run("enroll", stage.site, user)
        #expect(mailed.status == 0 && mailed.output.hasPrefix("follow the link"), "\(mailed)")
        try await stage.follow(try await stage.mailedLink())
        let enrolled = try await run("enroll", stage.site, user, lines: ["739154", "739154"])
        #expect(enrolled.status == 0 && enrolled.output == "enrolled: \(user)\n", "\(enrolled)")
        let wrong = try await logIn("739155")
        #expect(wrong.status == 1 && wrong.errors.contains("INCORRECT_PIN"), "\(wrong)")
        let changed = try await run("change-pin", stage.site, user, lines: ["739154", "580346", "580346"])
        #expect(changed.status == 0 && changed.output == "the PIN was changed: \(user)\n", "\(changed)")
        let right = try await logIn("580346")
        #expect(right.status == 0 && right.output == "logged in: \(user)\n", "\(right)")
    }
}
