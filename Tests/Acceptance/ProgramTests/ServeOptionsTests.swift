// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The backend's options and first lines, as its operator meets them.
@Suite(.fewAtATime) struct ServeOptionsTests {
    /// The table of docs/backend.md has each option of the help, once.
    @Test func thePageHasEveryOption() async throws {
        let help = try await Program("login-kiosk-backend").run(["serve", "--help"]).expect(0)
        let taken = help.output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^  (?:-\w, )?(--[a-z0-9-]+)/).map { String($0.1) }
        }
        let page = try ProjectFile.text("docs/backend.md")
        let table = page.split(separator: "\n").drop { $0 != "| Options | For |" }.prefix { $0.hasPrefix("|") }
        let named = table.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(--[a-z0-9-]+)`/).map { String($0.1) }
        }
        #expect(named.sorted() == taken.filter { $0 != "--help" && $0 != "--version" }.sorted())
        #expect(named.count > 30)
    }

    @Test func nobodyRegistersUnlessTheOperatorSaysWho() async throws {
        let scratch = try Scratch()
        let state = scratch.path("backend")
        let service = try BackgroundProgram(
            "login-kiosk-backend", ["--listen", "127.0.0.1:0", "--state", state, "--log-level", "debug"],
            in: scratch)
        let site = try await service.line(after: "serving ")
        #expect(try await service.line(after: "registrations: ").hasPrefix("nobody"))
        #expect(try await service.line(after: "activation mails: ") == "the address in \(state)/outbox-address")
        let page = try await service.line(after: "operator's page: ")
        #expect(page.hasSuffix("login-kiosk-backend operator-password --state \(state)"))
        #expect(service.errorText.contains("nobody may register here"))
        let status = try await SiteClient(site: site).get("/status")
        #expect(status["registrations"] as? String == "nobody")
        _ = try await service.end()
        // The finest lines are for people, and no dump of the program's values.
        #expect(service.errorText.split(separator: "\n").allSatisfy { $0.count < 400 }, "\(service.errorText)")
    }

    @Test func thePublicOutboxIsNamed() async throws {
        let scratch = try Scratch()
        let service = try BackgroundProgram(
            "login-kiosk-backend",
            [
                "--listen", "127.0.0.1:0", "--state", scratch.path("backend"), "--public-outbox", "--admit",
                "@example.com",
            ],
            in: scratch)
        let site = try await service.line(after: "serving ")
        #expect(try await service.line(after: "activation mails: ") == site + "/outbox")
        #expect(try await service.line(after: "registrations: ") == "the users of --admit")
        _ = try await service.end()
    }

    @Test(arguments: [["anybody", "@example.com"], ["*"]])
    func aWrongAdmitIsRefused(_ patterns: [String]) async throws {
        try await Program("login-kiosk-backend").run(
            ["--state", try Scratch().path("backend")] + patterns.flatMap { ["--admit", $0] }
        ).expect(64, "--admit")
    }
}
