// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `login-kiosk-backend erase`, as an operator uses it for somebody who asks to be forgotten.
@Suite(.fewAtATime) struct EraseCommandTests {
    private static let user = "alice@example.com"

    private struct Erased: Decodable {
        let version: Int
        let userID: String
        let identities: Int
        let registrations: Int
        let recordFiles: [String]
    }

    /// The files below a folder that have these bytes, by name.
    private static func files(with text: String, below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            let content = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            return content?.range(of: Data(text.utf8)) != nil
        }.sorted()
    }

    @Test func nothingButTheAuditRecordNamesTheUserAfterwards() async throws {
        let scratch = try Scratch()
        let service = try await EnrolledService(user: Self.user, pin: "2583", in: scratch)
        let backend = try Program("login-kiosk-backend")
        let state = scratch.path("backend")
        // A second user stays.
        try await service.enroll("bob@example.com", pin: "2583")
        let wrong = try await Program("login-kiosk").run(
            ["otp", "--user", Self.user] + service.options(service.places), input: "9999\n")
        #expect(wrong.status == 80, "\(wrong)")
        #expect(try Self.files(with: Self.user, below: state).contains { $0.hasPrefix("backend.sqlite") })

        let run = try await backend.run(["erase", "Alice@Example.com", "--state", state, "--json"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        let erased = try JSONDecoder().decode(Erased.self, from: Data(run.output.utf8))
        #expect(erased.version == 1 && erased.userID == Self.user)
        #expect(erased.identities == 1 && erased.registrations == 0)
        #expect(erased.recordFiles == ["\(state)/audit/audit.jsonl"])
        #expect(try Self.files(with: Self.user, below: state) == ["audit/audit.jsonl"])

        let users = try await backend.run(["users", "--state", state])
        #expect(users.output.contains("bob@example.com") && !users.output.contains(Self.user), "\(users)")
        // The kiosk still has the token, which is worth nothing now.
        let login = try await Program("login-kiosk").run(
            ["otp", "--user", Self.user] + service.options(service.places), input: "2583\n")
        #expect(login.status == 70 && login.output.isEmpty, "\(login)")
        // The user may come again.
        let gone = try await Program("login-kiosk").run(
            ["identities", "delete", "--user", Self.user, "--yes"] + service.places)
        #expect(gone.status == 0, "\(gone)")
        try await service.enroll(Self.user, pin: "2583")
        try await service.end()
    }

    @Test func anOpenRegistrationGoesAsWell() async throws {
        let scratch = try Scratch()
        let service = try await EnrolledService(in: scratch)
        let begun = try await Program("login-kiosk").run(
            ["enroll", "--backend", service.site, "--user", Self.user, "--wait", "0"] + service.options(service.places))
        #expect(begun.status == 88, "\(begun)")
        let backend = try Program("login-kiosk-backend")
        let erase = ["erase", Self.user, "--state", scratch.path("backend")]
        let run = try await backend.run(erase)
        #expect(run.status == 0, "\(run)")
        #expect(run.output == "erased: \(Self.user) (identities: 0, open registrations: 1)\n")
        let again = try await backend.run(erase)
        #expect(again.status == 65 && again.errors.contains("there is no such user"), "\(again)")
        let odd = try await backend.run(["erase", "a\u{202e}b", "--state", scratch.path("backend")])
        #expect(odd.status == 64, "\(odd)")
        let nowhere = try await backend.run(["erase", Self.user, "--state", scratch.path("nothing")])
        #expect(nowhere.status == 66, "\(nowhere)")
        try await service.end()
    }
}
