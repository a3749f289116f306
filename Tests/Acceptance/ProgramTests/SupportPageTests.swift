// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Runs the commands of `docs/support.md` and `docs/privacy.md`, a section at a time, as an operator types them.
@Suite("What an operator does for a person, a kiosk or a key", .fewAtATime)
struct SupportPageTests {
    private static let user = "alice@example.com"

    /// The commands of each section that has some, without `sudo`.
    private static func sections(of page: String) throws -> [(heading: String, commands: [[String]])] {
        let page = try ProjectFile.text("docs/\(page).md")
        return page.components(separatedBy: "\n## ").dropFirst().compactMap { section in
            let lines = section.split(separator: "\n")
            let commands = lines.filter { $0.hasPrefix("    sudo -u login-kiosk") }.map {
                words(in: $0.prefix { $0 != "|" }).dropFirst(3)
            }
            return commands.isEmpty ? nil : (String(lines[0]), commands.map(Array.init))
        }
    }

    /// The words of a line, of which one in quotation marks may have spaces.
    private static func words(in line: Substring) -> [String] {
        line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
            place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    @Test(arguments: [("support", 6), ("privacy", 2)])
    func eachCommandWorks(page: String, count: Int) async throws {
        let scratch = try Scratch()
        let service = try await ServiceWithUser(user: Self.user, pin: "2583", in: scratch)
        let backend = scratch.path("backend")
        try await Program("login-kiosk-backend").run([
            "applications", "add", "Time sheets", "--redirect-uri", "https://time.example.com/back", "--state", backend,
        ]).expect(0)
        let sections = try Self.sections(of: page)
        #expect(sections.count >= count, "commands are not found any more")
        for (heading, commands) in sections {
            for command in commands {
                var arguments = command.dropFirst().map { $0 == "/var/lib/login-kiosk-backend" ? backend : $0 }
                if command[0] == "login-kiosk" { arguments += service.places }
                let run = try await Program(command[0]).run(arguments)
                // A machine that tests has no camera, and perhaps no clock that is kept right.
                var works = command.contains("doctor") ? run.output.contains("clock") : run.status == 0
                // Nobody has used this kiosk yet.
                if command.contains("audit") { works = works || run.errors.contains("there is no audit log") }
                #expect(works, "\(heading): \(command.joined(separator: " ")): \(run)")
            }
            guard commands.contains(where: { $0.contains("delete") || $0.contains("revoke") || $0.contains("erase") })
            else { continue }
            // The person registers again, as the page says.
            _ = try await Program("login-kiosk").run(
                ["identities", "delete", "--user", Self.user, "--yes"] + service.places)
            try await service.enroll(Self.user, pin: "2583")
        }
        try await service.end()
    }
}
