// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show, check and export this kiosk's record of sessions.",
        discussion: """
            Each line describes a session and holds a hash of all lines before it. A changed line is found by its \
            hash. Missing lines at the end are found only by comparing with a hash that was written down elsewhere. \
            These commands work while the kiosk runs.
            """,
        subcommands: [Show.self, Verify.self, Export.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the newest lines, and the hash to write down elsewhere.",
            discussion: "For example: login-kiosk audit show --last 5")
        @OptionGroup var places: DirectoryOptions
        @OptionGroup var options: AuditShowOptions

        func run() throws {
            try AuditCommand.inspector(places).show(last: options.last, asJSON: options.json)
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that the record was not changed. Exit code 65 if it was.",
            discussion: "For example: login-kiosk audit verify --head 9f86d081884c7d65...")
        @OptionGroup var places: DirectoryOptions
        @OptionGroup var options: AuditVerifyOptions

        func run() throws {
            try AuditCommand.inspector(places).verify(head: options.head, asJSON: options.json)
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the whole record, for other programs.",
            discussion: "For example: login-kiosk audit export --format csv > sessions.csv")
        @OptionGroup var places: DirectoryOptions
        @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = AuditInspector.Format.jsonl

        func run() throws { try AuditCommand.inspector(places).export(as: format) }
    }

    private static func inspector(_ places: DirectoryOptions) throws -> AuditInspector {
        AuditInspector(directory: try places.directories().auditRecord)
    }
}
