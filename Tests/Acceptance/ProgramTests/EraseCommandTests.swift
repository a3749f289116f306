// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// `login-kiosk-backend erase`, as an operator uses it for somebody who asks to be forgotten.
@Suite(.fewAtATime) struct EraseCommandTests {
    private static let user = "alice@example.com"

    private struct Erased: Decodable {
        let version: Int
        let userID: String
        let identities: Int
        let registrations: Int
        let auditFiles: [String]
    }

    /// The files below a folder that have these bytes, by name.
    private static func files(with text: String, below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            let content = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            return content?.range(of: Data(text.utf8)) != nil
        }.sorted()
    }

    @Test func nothingButTheAuditLogNamesTheUserAfterwards() async throws {
        let scratch = try Scratch()
        let service = try await ServiceWithUser(user: Self.user, pin: "2583", in: scratch)
        let backend = try Program("login-kiosk-backend")
        let state = scratch.path("backend")
        // A second user stays.
        try await service.enroll("bob@example.com", pin: "2583")
        try await scratch.kiosk(["otp", "--user", Self.user, "--allow-loopback-http"], input: "9999\n").expect(80)
        #expect(try Self.files(with: Self.user, below: state).contains { $0.hasPrefix("backend.sqlite") })
        // The backend writes the audit log without delaying its replies.
        try await Patience.until { try Self.files(with: Self.user, below: state).contains("audit/audit.jsonl") }

        let run = try await backend.run(["erase", "Alice@Example.com", "--state", state, "--json"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let erased = try JSONDecoder().decode(Erased.self, from: Data(run.output.utf8))
        #expect(erased.version == 1 && erased.userID == Self.user)
        #expect(erased.identities == 1 && erased.registrations == 0)
        #expect(erased.auditFiles == ["\(state)/audit/audit.jsonl"])
        #expect(try Self.files(with: Self.user, below: state) == ["audit/audit.jsonl"])

        let users = try await backend.run(["users", "--state", state])
        #expect(users.output.contains("bob@example.com") && !users.output.contains(Self.user), "\(users)")
        // The kiosk still has the token, which is worth nothing now.
        try await scratch.kiosk(["otp", "--user", Self.user, "--allow-loopback-http"], input: "2583\n").expect(
            70, printing: "")
        // The user may come again.
        try await scratch.kiosk(["identities", "delete", "--user", Self.user, "--yes"]).expect(0)
        try await service.enroll(Self.user, pin: "2583")
        try await anOpenRegistrationGoesAsWell(service, backend, scratch)
        try await service.end()
    }

    private func anOpenRegistrationGoesAsWell(
        _ service: ServiceWithUser, _ backend: Program, _ scratch: Scratch
    ) async throws {
        let user = "carol@example.com"
        try await scratch.kiosk(
            ["enroll", "--backend", service.site, "--user", user, "--wait", "0", "--allow-loopback-http"]
        ).expect(88)
        let erase = ["erase", user, "--state", scratch.path("backend")]
        try await backend.run(erase).expect(
            0, printing: "erased: \(user) (identities: 0, open registrations: 1)\n")
        try await backend.run(erase).expect(65, "there is no such user")
        try await backend.run(["erase", "a\u{202e}b", "--state", scratch.path("backend")]).expect(64)
        try await backend.run(["erase", user, "--state", scratch.path("nothing")]).expect(66)
    }
}
