// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Examples/Authenticator`, built from the libraries by a package of its own. `make test-sdk` builds it and passes
/// its path.
@Suite("An authenticator in another package", .fewAtATime)
struct AuthenticatorTests {
    private static let program = ProcessInfo.processInfo.environment["LOGIN_KIOSK_AUTHENTICATOR"]

    @Test(.enabled(if: program != nil, "make test-sdk builds it"))
    func registersAndLogsIn() async throws {
        let stage = try await OperatorStage(.milagro)
        let authenticator = Program(executable: URL(filePath: try #require(Self.program)))
        let user = OperatorStage.user
        let folder = stage.scratch.path("authenticator")
        func run(_ arguments: String..., lines: [String] = []) async throws -> Program.Run {
            try await authenticator.run([folder] + arguments, input: lines.map { $0 + "\n" }.joined())
        }
        func logIn(_ pins: String...) async throws -> Program.Run {
            let page = try await stage.page()
            let browser = Task { try await page.poll() }
            defer { browser.cancel() }
            return try await run("login", user, lines: [page.code] + pins)
        }
        try stage.scratch.write("elsewhere.example\n", to: "authenticator/trusted")
        try await run("enroll", stage.site, user).expect(1, "UNTRUSTED_DOMAIN_ERROR")
        try stage.scratch.write("\(stage.service.host)\n", to: "authenticator/trusted")
        let mailed = try await run("enroll", stage.site, user)
        #expect(mailed.status == 0 && mailed.output.hasPrefix("follow the link"), "\(mailed)")
        try await stage.followMail()
        try await run("enroll", stage.site, user, lines: ["739154", "739154"]).expect(
            0, printing: "registered: \(user)\n")
        try await logIn("739155").expect(1, "no PIN was given")
        try await run("change-pin", stage.site, user, lines: ["739154", "580346", "580346"]).expect(
            0, printing: "the PIN was changed: \(user)\n")
        try await logIn("739154", "580346").expect(0, printing: "logged in: \(user)\n")
    }
}
