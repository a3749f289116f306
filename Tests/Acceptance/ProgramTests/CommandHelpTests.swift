// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Statements about all commands, compared with the parsers of the programs.
@Suite("What is true of all commands", .fewAtATime)
struct CommandHelpTests {
    struct Dump: Decodable { let command: Command }

    struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let names: [Name]?
        }
        let commandName: String
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// Commands that do something, with their whole names.
        func leaves(below path: [String] = []) -> [(name: String, command: Command)] {
            let path = path + [commandName]
            let children = (subcommands ?? []).filter { $0.commandName != "help" }
            return children.isEmpty
                ? [(path.joined(separator: " "), self)] : children.flatMap { $0.leaves(below: path) }
        }

        var options: Set<String> {
            Set((arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name))
        }
    }

    static func leaves(of program: String) async throws -> [(name: String, command: Command)] {
        let run = try await Program(program).run(["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command.leaves()
    }

    /// Whether a description has the command as a person types it, with options that it has.
    static func hasExample(_ name: String, _ command: Command) -> Bool {
        guard let text = command.discussion, let found = text.range(of: name) else { return false }
        // Up to the end of the command in a shell.
        let line = text[found.lowerBound...].prefix { !"\n&|;>".contains($0) }
        let options = line.matches(of: /(?:^|\s)--([a-z0-9-]+)/).map { String($0.output.1) }
        return options.allSatisfy { command.options.contains($0) || $0 == "help" }
    }

    @Test(arguments: ["login-kiosk", "login-kiosk-backend", "login-kiosk-demo"])
    func eachHasAnExample(program: String) async throws {
        let leaves = try await Self.leaves(of: program)
        #expect(leaves.count >= 2, "commands are not found any more")
        let without = leaves.filter { !Self.hasExample($0.name, $0.command) }.map(\.name)
        #expect(without == [], "say how it is typed: For example: ...")
    }

    @Test func theCheckSeesAnExampleThatIsMissingOrWrong() throws {
        func command(_ discussion: String?) throws -> Command {
            let members: [String: Any?] = [
                "commandName": "b", "discussion": discussion,
                "arguments": [["names": [["kind": "long", "name": "json"]]]],
            ]
            return try JSONDecoder().decode(
                Command.self, from: JSONSerialization.data(withJSONObject: members.compactMapValues { $0 }))
        }
        #expect(try Self.hasExample("a b", command("For example: a b --json")))
        #expect(try !Self.hasExample("a b", command("For example: a b --xml")))
        #expect(try !Self.hasExample("a b", command("Does it.")) && !Self.hasExample("a b", command(nil)))
    }

    /// A page of each program names the commands without `--json`.
    @Test(arguments: [("login-kiosk", "commands"), ("login-kiosk-backend", "backend")])
    func thePageNamesTheCommandsWithoutJSON(program: String, page: String) async throws {
        let page = try ProjectFile.text("docs/\(page).md")
        let sentence = try #require(page.firstMatch(of: /Without\s+`--json`\s+are\s+([^.]+)\./)).output.1
        let named = Set(
            sentence.replacing(/\s+/, with: " ").matches(of: /`([a-z -]+)`/).map { "\(program) \($0.output.1)" })
        let found = try await Self.leaves(of: program).filter { !$0.command.options.contains("json") }.map(\.name)
        #expect(named == Set(found))
    }
}
